import { asc, inArray } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import { type AssignmentChoice, countShares, type Share } from '#contract/leads/sharing/assignment.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type PreparedAssignment, prepareAssignment, readHolders } from '#server/leads/sharing/prepare-assignment.ts';
import { businesses } from '#server/schema/leads.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { createLeads } from './create-leads.ts';
import { recordAssignments } from './record-assignments.ts';

interface Assignment {
  businessIds: number[];
  choice: AssignmentChoice;
}

/** What `assignBusinesses` would do, without locks. */
export async function previewAssignment(
  db: Db,
  { businessIds, choice }: Assignment,
  { month }: { month: TimeRange },
): Promise<Share[]> {
  const prepared = await prepareAssignment(db, choice, { month });
  const found = await readBusinesses(db, businessIds);
  return countShares(await decide(db, found, prepared), prepared.nameOf);
}

interface Context {
  viewer: Viewer;
  ip: string;
  log: ChangeLog;
  month: TimeRange;
  origin: LeadOrigin;
  /** Whether other transactions add to the same batch of changes, so that notifications are merged. */
  merged?: boolean;
}

/** Makes businesses leads of the users whom the choice gives, except those that one of these users holds already. */
export async function assignBusinesses(
  tx: Db,
  { businessIds, choice }: Assignment,
  { viewer, ip, log, month, origin, merged = false }: Context,
): Promise<Share[]> {
  await requireCurrentRole(tx, viewer);
  const prepared = await prepareAssignment(tx, choice, { month, lock: 'share' });
  const found = await lockBusinesses(tx, businessIds);
  const assigned = await decide(tx, found, prepared);
  const added = found.flatMap(({ id }, nth) => {
    const { userId, outcome } = assigned[nth] ?? {};
    return userId === undefined || outcome === 'held' ? [] : [{ userId, business: { id } }];
  });
  const created = await createLeads(tx, added, { origin, log });
  const changes = created.map((lead) => ({ lead }));
  await recordAssignments(tx, changes, { viewer, ip, notices: { batch: log.batchId, merged } });
  return countShares(assigned, prepared.nameOf);
}

interface Found {
  id: number;
  district: string | null;
}

async function decide(db: Db, found: Found[], { assign }: PreparedAssignment) {
  const holders = await readHolders(
    db,
    found.map(({ id }) => id),
  );
  return found.map(({ id, district }) => assign({ district, holders: holders.get(id) ?? [] }));
}

const { id, district, mergedInto, placeId } = businesses;

const selectBusinesses = (db: Db, ids: number[]) =>
  db.select({ id, district, mergedInto }).from(businesses).where(inArray(id, ids)).$dynamic();

const readBusinesses = (db: Db, ids: number[]) => followMerges(ids, (next) => selectBusinesses(db, next));

/**
 * Locked, so that of two assignments of the same businesses the second sees the leads of the first. In the order of the
 * places, as an import locks them.
 */
const lockBusinesses = (tx: Db, ids: number[]) =>
  followMerges(ids, (next) => selectBusinesses(tx, next).orderBy(asc(placeId)).for('no key update'));

/** The businesses in the order of their ids in the request; of a merged one, the business that was kept. */
async function followMerges(
  ids: number[],
  read: (ids: number[]) => Promise<(Found & { mergedInto: number | null })[]>,
): Promise<Found[]> {
  const byId = new Map((await read([...new Set(ids)])).map((business) => [business.id, business]));
  const merged = [...byId.values()].flatMap(({ mergedInto: kept }) => (kept === null ? [] : [kept]));
  const targets = merged.length
    ? new Map((await followMerges(merged, read)).map((each) => [each.id, each]))
    : new Map();
  const found = new Map<number, Found>();
  for (const each of ids) {
    const business = byId.get(each);
    const kept = business?.mergedInto ? targets.get(business.mergedInto) : business;
    if (kept) found.set(kept.id, { id: kept.id, district: kept.district });
  }
  if (!found.size) throw new Refusal('not_found', 'None of these businesses exists any more');
  return [...found.values()];
}
