import { z } from 'zod';
import type { LeadFilter } from '../leads/lead-filter.ts';
import { addDays } from '../progress/calendar.ts';
import { type Days, parseDay, toDayText } from './period.ts';

/** The filters of the list that a report has. */
export type ReportFilter = Pick<LeadFilter, 'user' | 'types' | 'district' | 'source' | 'tags'>;

export const reportGroup = z.enum(['person', 'type', 'district', 'source', 'tag', 'week']);
export type ReportGroup = z.infer<typeof reportGroup>;

export const GROUP_LABEL: Record<ReportGroup, string> = {
  person: 'Person',
  type: 'Business type',
  district: 'District',
  source: 'Source',
  tag: 'Tag',
  week: 'Week',
};

/** The filter and the days of one group of a report, by its key: a user's id, a type, a district, a tag, a Monday. */
export function narrowToGroup(
  { by, key }: { by: ReportGroup; key: string },
  filter: ReportFilter,
  days: Days,
): { filter: ReportFilter; days: Days } {
  switch (by) {
    case 'person':
      return { filter: { ...filter, user: Number(key) }, days };
    case 'type':
      return { filter: { ...filter, types: [key] }, days };
    case 'district':
      return { filter: { ...filter, district: key }, days };
    case 'source':
      return { filter: { ...filter, source: key === 'import' ? 'import' : 'search' }, days };
    case 'tag':
      return { filter: { ...filter, tags: [key] }, days };
    case 'week':
      return { filter, days: withinWeek(key, days) };
  }
}

/** The days of a week that are in the period. */
function withinWeek(monday: string, { from, to }: Days): Days {
  const sunday = toDayText(addDays(parseDay(monday), 6));
  return { from: monday < from ? from : monday, to: sunday > to ? to : sunday };
}
