import { z } from 'zod';
import { bodyId } from '../../fields.ts';
import { formatCount } from '../../format.ts';
import { MAX_SHARED_BY, type ShareBasis } from './distribution.ts';

const userIds = z
  .array(bodyId())
  .min(1, 'Please choose at least one user')
  .max(MAX_SHARED_BY)
  .refine((ids) => new Set(ids).size === ids.length, 'A user can be chosen once');

/** Who gets businesses or leads: one user, or several so that open leads or missing contacts become even, or the owners. */
export const assignmentChoice = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('one'), userId: bodyId() }),
  z.strictObject({ way: z.literal('load'), userIds }),
  z.strictObject({ way: z.literal('goal'), userIds }),
  /** The fallback gets what is outside all territories. */
  z.strictObject({ way: z.literal('territory'), fallbackUserId: bodyId() }),
]);
export type AssignmentChoice = z.infer<typeof assignmentChoice>;

/** What is decided by: only active users are in it. */
interface AssignmentFacts {
  /** By district. */
  owners: ReadonlyMap<string, readonly number[]>;
  /** By user, as the next two. */
  openLeads: ReadonlyMap<number, number>;
  /** Contacts that are missing to the goal of the month. */
  goalLeft: ReadonlyMap<number, number>;
}

export interface Assignable {
  /** Null where the address has no postcode. */
  district: string | null;
  /** The users who hold a lead on the business. */
  holders: readonly number[];
}

export interface Assigned {
  userId: number;
  /** `held`: one of the users in question holds it already, so that no second one gets it. */
  outcome: 'given' | 'fallback' | 'held';
}

/** Who gets each business, in their order. */
export function assignEach(items: readonly Assignable[], choice: AssignmentChoice, facts: AssignmentFacts): Assigned[] {
  return items.map(createAssigner(choice, facts));
}

/** As `assignEach`, one at a time: what was given before counts, also in an earlier step that the facts do not show. */
export function createAssigner(
  choice: AssignmentChoice,
  { owners, openLeads, goalLeft }: AssignmentFacts,
  givenBefore: ReadonlyMap<number, number> = new Map(),
) {
  const given = new Map(givenBefore);
  const pickFewest = (ids: readonly number[]) =>
    pickLeast(ids, (id) => (openLeads.get(id) ?? 0) + (given.get(id) ?? 0));
  const pickByGoal = createGoalPick(goalLeft, given);

  return ({ district, holders }: Assignable): Assigned => {
    const owning = choice.way === 'territory' && district !== null ? (owners.get(district) ?? []) : [];
    const candidates = owning.length ? owning : listChosen(choice);
    const holder = candidates.find((id) => holders.includes(id));
    if (holder !== undefined) return { userId: holder, outcome: 'held' };
    const userId = choice.way === 'goal' ? pickByGoal(candidates) : pickFewest(candidates);
    given.set(userId, (given.get(userId) ?? 0) + 1);
    return { userId, outcome: choice.way === 'territory' && !owning.length ? 'fallback' : 'given' };
  };
}

/** How many of `count` each user gets, by what each of them has now: open leads, or contacts that are missing to the goal. */
export function shareOut(count: number, basis: ShareBasis, current: readonly number[]): number[] {
  const userIds = [...current.keys()];
  const byUser = new Map(current.entries());
  const assign = createAssigner({ way: basis, userIds }, { owners: new Map(), openLeads: byUser, goalLeft: byUser });
  const shares = current.map(() => 0);
  for (let nth = 0; nth < count && shares.length; nth += 1) {
    const { userId } = assign({ district: null, holders: [] });
    shares[userId] = (shares[userId] ?? 0) + 1;
  }
  return shares;
}

/** The users that a choice names. */
export function listChosen(choice: AssignmentChoice): number[] {
  if (choice.way === 'one') return [choice.userId];
  return choice.way === 'territory' ? [choice.fallbackUserId] : choice.userIds;
}

/** The one who has the least of what is due: each gets a part in proportion to what is missing, equal where nothing is. */
function createGoalPick(goalLeft: ReadonlyMap<number, number>, given: ReadonlyMap<number, number>) {
  const weigh = (ids: readonly number[]) => {
    const weights = ids.map((id) => Math.max(0, goalLeft.get(id) ?? 0));
    return weights.some((weight) => weight > 0) ? weights : weights.map(() => 1);
  };
  return (ids: readonly number[]): number => {
    const weights = weigh(ids);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const count = ids.reduce((total, id) => total + (given.get(id) ?? 0), 1);
    const weightOf = new Map(ids.map((id, nth) => [id, weights[nth] ?? 0]));
    return pickLeast(ids, (id) => (given.get(id) ?? 0) - (count * (weightOf.get(id) ?? 0)) / sum);
  };
}

function pickLeast(ids: readonly number[], measure: (id: number) => number): number {
  let [least] = ids;
  if (least === undefined) throw new Error('There is no user to choose from');
  for (const id of ids) if (measure(id) < measure(least)) least = id;
  return least;
}

export const share = z.strictObject({
  userId: z.number(),
  fullName: z.string(),
  /** New for this user; those outside all territories are among them. */
  count: z.number(),
  fallback: z.number(),
  /** Held by this user already. */
  held: z.number(),
});
export type Share = z.infer<typeof share>;

/** Who gets how many, most first. */
export function countShares(assigned: readonly Assigned[], nameOf: (userId: number) => string): Share[] {
  const shares = new Map<number, Share>();
  for (const { userId, outcome } of assigned) {
    const counted = shares.get(userId) ?? { userId, fullName: nameOf(userId), count: 0, fallback: 0, held: 0 };
    if (outcome === 'held') counted.held += 1;
    else counted.count += 1;
    if (outcome === 'fallback') counted.fallback += 1;
    shares.set(userId, counted);
  }
  return [...shares.values()].sort((a, b) => b.count - a.count || a.fullName.localeCompare(b.fullName));
}

/** "Grace Okafor 12, Marcus Bell 8, outside all territories: 3 → Olivia Hart" */
export function formatShares(shares: readonly Share[]): string {
  const own = shares.flatMap(({ fullName, count, fallback }) =>
    count > fallback ? [`${fullName} ${formatCount(count - fallback)}`] : [],
  );
  const outside = shares.flatMap(({ fullName, fallback }) =>
    fallback > 0 ? [`outside all territories: ${formatCount(fallback)} → ${fullName}`] : [],
  );
  return [...own, ...outside].join(', ');
}
