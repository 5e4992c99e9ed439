import { z } from 'zod';
import { formatOriginKey } from '../leads/fields/lead-origin.ts';
import type { LeadFilter } from '../leads/lead-filter.ts';
import { FIELD_TYPES } from '../leads/own-fields/field-types.ts';
import { type OwnField, writeValue } from '../leads/own-fields/own-field.ts';
import { formatConditions, type OwnCondition } from '../leads/own-fields/own-filter.ts';
import { addDays } from '../progress/calendar.ts';
import { type Days, parseDay, toDayText, toWeekBefore } from './period.ts';

/** The filters of the list that a report has. */
export type ReportFilter = Pick<LeadFilter, 'user' | 'types' | 'district' | 'source' | 'tags'> &
  Partial<Pick<LeadFilter, 'origin'>>;

/** What a group adds to them. */
export type GroupFilter = Partial<Pick<LeadFilter, 'origin' | 'hasType' | 'hasDistrict' | 'hasTag' | 'own'>>;

export const reportGroup = z.enum(['person', 'type', 'district', 'source', 'tag', 'week']);
export type ReportGroup = z.infer<typeof reportGroup>;

/** By a field of the team's own, named as its column of the table. */
export type OwnGroup = `field${number}`;
const OWN_GROUP = /^field([1-9][0-9]{0,8})$/;
export const ownGroup = z
  .string()
  .regex(OWN_GROUP)
  .transform((text) => text as OwnGroup); // as the pattern says

export const groupBy = reportGroup.or(ownGroup);
export type GroupBy = ReportGroup | OwnGroup;

export const toOwnGroup = ({ id }: Pick<OwnField, 'id'>): OwnGroup => `field${id}`;

/** Undefined for a group by what every lead has. */
export function parseOwnGroup(by: string): number | undefined {
  const [, fieldId] = OWN_GROUP.exec(by) ?? [];
  return fieldId === undefined ? undefined : Number(fieldId);
}

/** Whether leads are counted by the values of a field: by its choices, or by yes and no. */
export const makesGroups = ({ type }: Pick<OwnField, 'type'>): boolean => FIELD_TYPES[type].group !== undefined;

/** Whether the values of a field are added up. */
export const addsUp = ({ type }: Pick<OwnField, 'type'>): boolean => FIELD_TYPES[type].adds === true;

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
export function nameGroup(by: GroupBy, { key, name }: { key: string; name: string }): string {
  if (key === '') return parseOwnGroup(by) ? 'No value' : (NO_VALUE_LABEL[by as ReportGroup] ?? '–'); // no other is left
  return by === 'source' ? formatOriginKey(key) : name;
}

/** What a group by a field of the team's own is called. */
export function nameOwnGroup(field: OwnField, key: string): string {
  const { group, join } = FIELD_TYPES[field.type];
  const value = group?.toOperand(key) ?? key;
  // A type whose values are joined has lists of them.
  return writeValue(field, join ? [key] : value);
}

/** What the leads of a group by a field have. */
function toCondition({ id, type }: OwnField, key: string): OwnCondition {
  const { group } = FIELD_TYPES[type];
  if (!key || !group) return { fieldId: id, operator: 'empty', operands: [] };
  return { fieldId: id, operator: group.operator, operands: [group.toOperand(key)] };
}

/** The filter of one group by a field of the team's own. */
export const narrowToOwnGroup = (
  { field, key }: { field: OwnField; key: string },
  filter: ReportFilter,
): ReportFilter & GroupFilter => ({ ...filter, own: formatConditions([toCondition(field, key)]) });

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
      return { filter, days: toGroupDays(by, key, days) };
  }
}

/** The days of a group: of a week, those that are in the period. */
export const toGroupDays = (by: GroupBy, key: string, days: Days): Days =>
  by === 'week' ? withinWeek(key, days) : days;

function withinWeek(monday: string, { from, to }: Days): Days {
  const sunday = toDayText(addDays(parseDay(monday), 6));
  return { from: monday < from ? from : monday, to: sunday > to ? to : sunday };
}

/** The days that groups are compared with: a week is compared with the one before, whatever the period. */
export const resolveComparedDays = (by: GroupBy, { days, before }: { days: Days; before: Days }): Days =>
  by === 'week' ? toWeekBefore(days) : before;

/** The key, in the period before, of the group that another is compared with. */
export const toComparedKey = (by: GroupBy, key: string): string =>
  by === 'week' ? toWeekBefore({ from: key, to: key }).from : key;
