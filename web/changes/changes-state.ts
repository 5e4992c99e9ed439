import { z } from 'zod';
import { type ChangeKind, changeKind } from '#contract/changes/change.ts';
import { calendarDay, MAX_ID } from '#contract/fields.ts';
import { type ChangeOptions, formatUrlState, useUrlState } from '#web/kit/navigation/url-state.ts';

/** The filter of the changes, as the URL and the calls have it. Undefined: no filter. */
export interface ChangesState {
  userId: number | undefined;
  kind: ChangeKind | undefined;
  /** "2026-11-17" */
  day: string | undefined;
}

export const NO_FILTER: ChangesState = { userId: undefined, kind: undefined, day: undefined };

/** The parameters of the URL; an invalid one is no filter. */
const params = z.object({
  userId: z.coerce.number().int().min(1).max(MAX_ID).optional().catch(undefined),
  kind: changeKind.optional().catch(undefined),
  day: calendarDay.optional().catch(undefined),
});

export const isFiltered = (state: ChangesState) => formatUrlState(state, NO_FILTER) !== '';

export function useChangesState() {
  const [state, change] = useUrlState<ChangesState>(params, NO_FILTER);
  const changeFilter = (changed: Partial<ChangesState>, options?: ChangeOptions) =>
    change((current) => ({ ...current, ...changed }), options);
  return [state, changeFilter] as const;
}
