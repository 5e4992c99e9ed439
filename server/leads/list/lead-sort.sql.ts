import { type SQL, sql } from 'drizzle-orm';
import type { LeadPageQuery, LeadSort } from '#contract/leads/lead-filter.ts';

interface Sort {
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

/** Each is the order of an index, forwards or backwards. */
const SORTS: Record<LeadSort, Sort> = {
  newest: { ...ASSIGNED, order: 'desc' },
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

export const isByAssignment = (sort: LeadSort): boolean => SORTS[sort].key === ASSIGNED.key;

/**
 * Whether the order may begin with all the leads that a filter excludes: names with the same beginning lie together, those
 * contacted longest ago are closed, and those never contacted have no follow-up. The indexes cover other filters.
 */
export function filtersBySortKey({ sort, q, followUp, contactedTo }: LeadPageQuery): boolean {
  switch (SORTS[sort].key) {
    case NAME.key:
      return Boolean(q);
    case LAST_CONTACT.key:
      return contactedTo !== undefined || (followUp !== undefined && followUp !== 'none');
    default:
      return false;
  }
}

export const sortKey = (sort: LeadSort): SQL => SORTS[sort].key;

/** The ORDER BY of a list, by its key or by a column that has the key's value. */
export function orderBy(sort: LeadSort, key = SORTS[sort].key): SQL {
  const { order, nulls } = SORTS[sort];
  return sql`order by ${key} ${sql.raw(order)}${sql.raw(nulls ? ` nulls ${nulls}` : '')}, lead.id ${sql.raw(order)}`;
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
export function sortParts(sort: LeadSort): { condition: SQL; isAfter: (last: LastRead) => SQL }[] {
  const { key, type, order, nulls } = SORTS[sort];
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
