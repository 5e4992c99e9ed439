import { z } from 'zod';
import { auditEvent } from '#contract/audit/audit.ts';
import { calendarDay } from '#contract/calendar-day.ts';
import { pathId } from '#contract/fields.ts';
import { type ChangeOptions, useUrlState } from '#web/kit/url-state.ts';

/** The parameters of the URL; an invalid one is no filter. */
const params = z.object({
  event: auditEvent.optional().catch(undefined),
  /** The id of the user who did it, or of the one whom it is about. */
  person: pathId.optional().catch(undefined),
  /** As the field has it: while a year is typed, one that is no valid day. */
  day: calendarDay.optional().catch(undefined),
});
export type AuditFilter = z.output<typeof params>;

export const NO_FILTER: AuditFilter = { event: undefined, person: undefined, day: undefined };

export const parseAuditFilter = (search: string): AuditFilter =>
  params.parse(Object.fromEntries(new URLSearchParams(search)));

export function formatAuditFilter({ event, person, day }: AuditFilter): string {
  const all = { event, person, day };
  const used = Object.entries(all).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return new URLSearchParams(used).toString();
}

/** The filter as the API takes it: a day that is being typed does not count yet. */
export const toAuditQuery = ({ event, person, day }: AuditFilter) => ({
  event,
  userId: person,
  day: calendarDay.safeParse(day).success ? day : undefined,
});

/** The filter of the audit log, in the URL. */
export function useAuditFilter() {
  const [filter, change] = useUrlState<AuditFilter>({
    initial: () => NO_FILTER,
    defaults: NO_FILTER,
    parse: parseAuditFilter,
    format: formatAuditFilter,
  });
  const changeFilter = (changed: AuditFilter, options?: ChangeOptions) =>
    change((current) => ({ ...current, ...changed }), options);
  return [filter, changeFilter] as const;
}
