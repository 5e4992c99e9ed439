import { z } from 'zod';
import { formatOriginKey } from '../leads/fields/lead-origin.ts';
import type { LeadFilter } from '../leads/lead-filter.ts';
import { addDays } from '../progress/calendar.ts';
import { type Days, parseDay, toDayText } from './period.ts';

/** The filters of the list that a report has. */
export type ReportFilter = Pick<LeadFilter, 'user' | 'types' | 'district' | 'source' | 'tags'> &
  Partial<Pick<LeadFilter, 'origin'>>;

/** What a group adds to them. */
export type GroupFilter = Partial<Pick<LeadFilter, 'origin' | 'hasType' | 'hasDistrict' | 'hasTag'>>;

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

/** What a group of leads without a value is called. */
const NO_VALUE_LABEL: Partial<Record<ReportGroup, string>> = {
  type: 'No type',
  district: 'No district',
  source: 'Not recorded',
  tag: 'No tag',
};

/** What a group is called; a week, by its Monday. */
export function nameGroup(by: ReportGroup, { key, name }: { key: string; name: string }): string {
  if (key === '') return NO_VALUE_LABEL[by] ?? '–';
  return by === 'source' ? formatOriginKey(key) : name;
}

/** The filter and the days of one group of a report, by its key: a user's id, a type, a district, a tag, a Monday. */
export function narrowToGroup(
  { by, key }: { by: ReportGroup; key: string },
  filter: ReportFilter,
  days: Days,
): { filter: ReportFilter & GroupFilter; days: Days } {
  switch (by) {
    case 'person':
      return { filter: { ...filter, user: Number(key) }, days };
    case 'type':
      return { filter: key ? { ...filter, types: [key] } : { ...filter, hasType: false }, days };
    case 'district':
      return { filter: key ? { ...filter, district: key } : { ...filter, hasDistrict: false }, days };
    case 'source':
      return { filter: { ...filter, origin: key || 'none' }, days };
    case 'tag':
      return { filter: key ? { ...filter, tags: [key] } : { ...filter, hasTag: false }, days };
    case 'week':
      return { filter, days: withinWeek(key, days) };
  }
}

/** The days of a week that are in the period. */
function withinWeek(monday: string, { from, to }: Days): Days {
  const sunday = toDayText(addDays(parseDay(monday), 6));
  return { from: monday < from ? from : monday, to: sunday > to ? to : sunday };
}
