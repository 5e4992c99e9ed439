import { type SQL, sql } from 'drizzle-orm';
import type { BuiltInSort, LeadPageQuery, LeadSort } from '#contract/leads/lead-filter.ts';
import { parseOwnSort } from '#contract/leads/own-fields/own-filter.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findOwnKey } from './own-fields.sql.ts';

export interface Sort {
  key: SQL;
  /** The SQL type of the key. */
  type: SQL;
  order: 'asc' | 'desc';
  /** Where leads without a value are; undefined where every lead has one. */
  nulls?: 'first' | 'last';
}

const timestamp = sql`timestamptz`;
const ASSIGNED = { key: sql`lead.assigned_at`, type: timestamp };
const NAME = { key: sql`left(lead.search_name, 100)`, type: sql`text` };
const TOWN = { key: sql`lead.search_town`, type: sql`text` };
const STATUS = { key: sql`lead_status_rank(lead.status)`, type: sql`integer` };
const LAST_CONTACT = { key: sql`lead.last_contacted_at`, type: timestamp };
const FOLLOW_UP = { key: sql`lead.next_step_at`, type: timestamp };

export const NEWEST: Sort = { ...ASSIGNED, order: 'desc' };

/** Each is the order of an index, forwards or backwards. */
const SORTS: Record<BuiltInSort, Sort> = {
  newest: NEWEST,
  oldest: { ...ASSIGNED, order: 'asc' },
  name: { ...NAME, order: 'asc' },
  'name-desc': { ...NAME, order: 'desc' },
  town: { ...TOWN, order: 'asc', nulls: 'last' },
  'town-desc': { ...TOWN, order: 'desc', nulls: 'first' },
  status: { ...STATUS, order: 'asc' },
  'status-desc': { ...STATUS, order: 'desc' },
  // Never contacted counts as longest ago.
  'last-contact': { ...LAST_CONTACT, order: 'asc', nulls: 'first' },
  'last-contact-desc': { ...LAST_CONTACT, order: 'desc', nulls: 'last' },
  'follow-up': { ...FOLLOW_UP, order: 'asc', nulls: 'last' },
  'follow-up-desc': { ...FOLLOW_UP, order: 'desc', nulls: 'first' },
};

/** By a field of the team's own, leads without a value are last in both directions. */
export async function resolveSort(db: Db, sort: LeadSort): Promise<Sort> {
  const own = parseOwnSort(sort);
  if (!own) return SORTS[sort as BuiltInSort]; // the others are those of own fields
  return { ...(await findOwnKey(db, own.fieldId)), order: own.descending ? 'desc' : 'asc', nulls: 'last' };
}

export const isByAssignment = ({ key }: Sort): boolean => key === ASSIGNED.key;

/**
 * Whether the order may begin with all the leads that a filter excludes: names with the same beginning lie together, those
 * contacted longest ago are closed, and those never contacted have no follow-up. The indexes cover other filters. The orders
 * of own fields have no index.
 */
export function filtersBySortKey({ key }: Sort, { sort, q, followUp, contactedTo }: LeadPageQuery): boolean {
  switch (key) {
    case NAME.key:
      return Boolean(q);
    case LAST_CONTACT.key:
      return contactedTo !== undefined || (followUp !== undefined && followUp !== 'none');
    default:
      return parseOwnSort(sort) !== undefined;
  }
}

/** The ORDER BY of a list, by its key or by a column that has the key's value. */
export function orderBy({ key, order, nulls }: Sort, column = key): SQL {
  return sql`order by ${column} ${sql.raw(order)}${sql.raw(nulls ? ` nulls ${nulls}` : '')}, lead.id ${sql.raw(order)}`;
}

/** A lead that was read, with the key of its list as text. */
interface LastRead {
  id: number;
  sortKey: string | null;
}

/**
 * The parts that a list is read in: leads with a value and leads without one, in the order of the list. Each part can be
 * continued by a row comparison, so that the index scan starts at the last lead that was read.
 */
export function sortParts({ key, type, order, nulls }: Sort): {
  condition: SQL;
  isAfter: (last: LastRead) => SQL;
}[] {
  const operator = sql.raw(order === 'asc' ? '>' : '<');
  const isAfter = (last: LastRead) => sql`(${key}, lead.id) ${operator} (${last.sortKey}::${type}, ${last.id}::int)`;
  if (!nulls) return [{ condition: sql`true`, isAfter }];
  const withValue = { condition: sql`${key} is not null`, isAfter };
  const withoutValue = {
    condition: sql`${key} is null`,
    isAfter: ({ id }: LastRead) => sql`lead.id ${operator} ${id}::int`,
  };
  return nulls === 'last' ? [withValue, withoutValue] : [withoutValue, withValue];
}
