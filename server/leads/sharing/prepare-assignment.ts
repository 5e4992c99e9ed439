import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { type AssignmentChoice, createAssigner, listChosen } from '#contract/leads/sharing/assignment.ts';
import type { ShareBasis } from '#contract/leads/sharing/distribution.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leads } from '#server/schema/leads.ts';
import { territoryDistricts } from '#server/schema/territories.ts';
import { users } from '#server/schema/users.ts';
import { countCurrent } from './shares.sql.ts';

interface Context {
  month: TimeRange;
  /** What the users are locked with, so that they stay active until the transaction ends; a preview locks none. */
  lock?: 'share' | 'no key update';
  /** What each user got in earlier steps. */
  given?: ReadonlyMap<number, number>;
}

/**
 * Reads what a choice is decided by, and returns the function that decides. Lock users before leads and businesses, as in
 * other calls. Territories of inactive users count as no territory.
 */
export async function prepareAssignment(db: Db, choice: AssignmentChoice, { month, lock, given }: Context) {
  const owners = choice.way === 'territory' ? await listOwners(db) : new Map<string, number[]>();
  const chosen = listChosen(choice);
  const people = await readActive(db, [...new Set([...chosen, ...[...owners.values()].flat()])], lock);
  const names = new Map(people.map(({ id, fullName, username }) => [id, fullName || username]));
  if (chosen.some((id) => !names.has(id))) {
    throw new Refusal('invalid_target', 'A chosen user does not exist or is inactive');
  }
  const active = new Map([...owners].map(([district, ids]) => [district, ids.filter((id) => names.has(id))]));
  const count = async (basis: ShareBasis) => {
    const counts = await countCurrent(db, people, basis, month);
    return new Map(people.map(({ id }, nth) => [id, counts[nth] ?? 0]));
  };
  const openLeads = await count('load');
  const goalLeft = choice.way === 'goal' ? await count('goal') : new Map<number, number>();
  return {
    // Open leads include what was given before.
    assign: createAssigner(choice, { owners: active, openLeads, goalLeft }, choice.way === 'goal' ? given : undefined),
    nameOf: (userId: number) => names.get(userId) ?? '',
  };
}

export type PreparedAssignment = Awaited<ReturnType<typeof prepareAssignment>>;

/** The active users of each district, by district. */
async function listOwners(db: Db): Promise<Map<string, number[]>> {
  const { district, userId } = territoryDistricts;
  const rows = await db
    .select({ district, userId })
    .from(territoryDistricts)
    .innerJoin(users, and(eq(users.id, userId), eq(users.active, true)))
    .orderBy(asc(district), asc(userId));
  const owners = new Map<string, number[]>();
  for (const row of rows) owners.set(row.district, [...(owners.get(row.district) ?? []), row.userId]);
  return owners;
}

function readActive(db: Db, ids: number[], lock: Context['lock']) {
  const { id, fullName, username, monthlyGoal } = users;
  const query = db
    .select({ id, fullName, username, monthlyGoal })
    .from(users)
    .where(and(inArray(id, ids), eq(users.active, true)))
    .orderBy(asc(id)) // the same order in every transaction prevents deadlocks
    .$dynamic();
  return lock ? query.for(lock) : query;
}

/** The users who hold a lead on each business, by business. */
export async function readHolders(db: Db, businessIds: number[]): Promise<Map<number, number[]>> {
  if (!businessIds.length) return new Map();
  const rows = await db
    .select({ id: leads.businessId, holders: sql<number[]>`array_agg(${leads.userId})` })
    .from(leads)
    .where(inArray(leads.businessId, businessIds))
    .groupBy(leads.businessId);
  return new Map(rows.map(({ id, holders }) => [id, holders]));
}
