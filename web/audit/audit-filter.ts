import { z } from 'zod';
import { auditEvent } from '#contract/audit/audit.ts';
import { calendarDay, pathId } from '#contract/fields.ts';
import { type ChangeOptions, formatUrlState, useUrlState } from '#web/kit/navigation/url-state.ts';

/** The parameters of the URL; an invalid one is no filter. */
export const auditParams = z.object({
  event: auditEvent.optional().catch(undefined),
  /** The id of the user who did it, or of the one whom it is about. */
  person: pathId.optional().catch(undefined),
  day: calendarDay.optional().catch(undefined),
});
export type AuditFilter = z.output<typeof auditParams>;

export const NO_FILTER: AuditFilter = { event: undefined, person: undefined, day: undefined };

export const formatAuditFilter = (filter: AuditFilter) => formatUrlState(filter, NO_FILTER);

/** The filter as the API takes it. */
export const toAuditQuery = ({ event, person, day }: AuditFilter) => ({ event, userId: person, day });

/** The filter of the audit log, in the URL. */
export function useAuditFilter() {
  const [filter, change] = useUrlState<AuditFilter>(auditParams, NO_FILTER);
  const changeFilter = (changed: AuditFilter, options?: ChangeOptions) =>
    change((current) => ({ ...current, ...changed }), options);
  return [filter, changeFilter] as const;
}
