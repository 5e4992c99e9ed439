import { z } from 'zod';
import { type DuplicateReason, duplicateReason } from '#contract/duplicates/duplicate.ts';
import { useUrlState } from '#web/kit/navigation/url-state.ts';

/** What the screen shows, as the URL has it. */
export interface DuplicatesState {
  state: 'open' | 'dismissed';
  reason: DuplicateReason | undefined;
  page: number;
}

export const FIRST_PAGE: DuplicatesState = { state: 'open', reason: undefined, page: 1 };

/** The parameters of the URL; an invalid one is left out. */
export const duplicatesParams = z.object({
  state: z.enum(['open', 'dismissed']).catch('open'),
  reason: duplicateReason.optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(10_000).catch(1),
});

export function useDuplicatesState() {
  const [state, change] = useUrlState<DuplicatesState>(duplicatesParams, FIRST_PAGE);
  return [
    state,
    (changed: Partial<DuplicatesState>) => change((current) => ({ ...current, page: 1, ...changed })),
  ] as const;
}
