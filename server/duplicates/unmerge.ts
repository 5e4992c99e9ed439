import { isDeepStrictEqual } from 'node:util';
import { formatUndoOutcome, type UndoOutcome } from '#contract/changes/change.ts';
import { Refusal } from '#contract/errors.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import * as merged from '#server/leads/merged-rows.sql.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';
import { labelFields } from './label-fields.ts';
import { refreshKeysOf } from './refresh-keys.sql.ts';
import { listLeads, listNames, listUserIds, lockMergedRows, readName, restoreNextSteps } from './unmerge.sql.ts';

const MAX_NAMES = 5;

interface UnmergePlan {
  updates: { row: merged.StoredRow; columns: string[] }[];
  inserts: { table: merged.MergedTable; row: merged.Row }[];
  deletes: merged.StoredRow[];
  keptId: number;
  mergedIds: number[];
  leadIds: number[];
  outcome: UndoOutcome;
}

/** Decides for each column that a merge changed whether it can be restored: nothing may have changed it since. */
export async function planUnmerge(tx: Db, batchId: string, { lock }: { lock: boolean }): Promise<UnmergePlan> {
  const stored = await merged.readStoredRows(tx, batchId);
  if (lock) await lockMergedRows(tx, stored);
  const current = await merged.readCurrentRows(tx, stored);
  const keptId = requireLatest(stored, current);
  const users = new Set(await listUserIds(tx));
  const plan: Omit<UnmergePlan, 'outcome'> = {
    updates: [],
    inserts: [],
    deletes: [],
    keptId,
    mergedIds: stored.flatMap(({ table, id, after }) =>
      table === 'businesses' && after?.merged_into === keptId ? [id] : [],
    ),
    leadIds: stored.flatMap(({ table, id }) => (table === 'user_businesses' ? [id] : [])),
  };
  const ownFields = await listFields(tx);
  const left = new Map<string, string>();
  for (const row of stored) {
    const now = current.get(`${row.table} ${row.id}`);
    if (!row.after) {
      const restored = now ? undefined : withExistingUsers(row, users, current);
      if (restored) plan.inserts.push({ table: row.table, row: restored });
    } else if (!row.before) {
      if (now && isSame(now, row.after)) plan.deletes.push(row);
    } else if (now) {
      const { before, after } = row;
      const changed = Object.keys(before).filter((column) => !isDeepStrictEqual(before[column], after[column]));
      const columns = changed.filter((column) => isDeepStrictEqual(now[column], after[column]));
      if (columns.length) plan.updates.push({ row, columns });
      const kept = changed.filter((column) => !columns.includes(column));
      const fields = labelFields(row.table, kept, { now, after, ownFields });
      if (fields.length) left.set(`${row.table} ${row.id}`, `${await readName(tx, row)} (${fields.join(', ')})`);
    }
  }
  const names = [...left.values()];
  return {
    ...plan,
    outcome: {
      takenBack: plan.mergedIds.length,
      deleted: 0,
      left: names.length ? [{ reason: 'changed', count: names.length, names: names.slice(0, MAX_NAMES) }] : [],
      creditsKept: 0,
    },
  };
}

/** Whether a row that the merge inserted is still the same. A mark on the lead decides whether its credit is counted. */
const isSame = ({ counted: _, ...now }: merged.Row, { counted: __, ...after }: merged.Row) =>
  isDeepStrictEqual(now, after);

/** Restores what the merge changed, except for what was changed since. */
export async function unmerge(tx: Db, batchId: string, log: ChangeLog) {
  const plan = await planUnmerge(tx, batchId, { lock: true });
  await restore(tx, plan).catch((error) => {
    if (classifyFault(error).kind !== 'unique') throw error;
    throw new Refusal('not_undoable', 'A user would hold two leads on one of these businesses');
  });
  await merged.returnEarlierMerges(tx, batchId);
  await refreshKeysOf(tx, [plan.keptId, ...plan.mergedIds]);
  await publishLeads(tx, await listLeads(tx, plan.leadIds));
  const restored = new Set(plan.inserts.flatMap(({ table, row }) => (table === 'user_businesses' ? [row.id] : [])));
  await recordEvents(
    tx,
    plan.leadIds.map((leadId) =>
      restored.has(leadId)
        ? { type: 'lead.created', leadId, data: { restored: true } }
        : { type: 'lead.changed', leadId, data: { fields: ['merge'] } },
    ),
  );
  log.addBusiness(plan.keptId, 'merge', { before: { names: await listNames(tx, plan.mergedIds) }, after: null });
  return { message: formatUndoOutcome(plan.outcome), ...plan.outcome };
}

async function restore(tx: Db, { updates, inserts, deletes, leadIds }: UnmergePlan) {
  for (const table of merged.MERGED_TABLES) {
    const gone = deletes.filter((row) => row.table === table).map(({ id }) => id);
    if (gone.length) await merged.deleteRows(tx, table, gone);
    // Rows with the same columns are one statement.
    const own = updates.filter(({ row }) => row.table === table);
    for (const key of new Set(own.map(({ columns }) => columns.join()))) {
      const same = own.filter(({ columns }) => columns.join() === key);
      const rows = same.map(({ row }) => ({ id: row.id, row: row.before as merged.Row }));
      await merged.updateRows(tx, table, key.split(','), rows);
    }
    const added = inserts.filter((row) => row.table === table).map(({ row }) => row);
    if (added.length) await merged.insertRows(tx, table, added);
  }
  await restoreNextSteps(tx, leadIds);
}

/** The id of the kept business. Refuses where one of the businesses was merged again since. */
function requireLatest(stored: merged.StoredRow[], current: Map<string, merged.Row>): number {
  const businesses = stored.filter(({ table }) => table === 'businesses');
  const kept = businesses.find(({ before, after }) => isDeepStrictEqual(before?.merged_into, after?.merged_into));
  if (!kept) throw new Refusal('not_undoable', 'What undoing this merge needs is no longer kept');
  const changed = businesses.some(
    ({ id, after }) => current.get(`businesses ${id}`)?.merged_into !== (after?.merged_into ?? null),
  );
  if (changed) throw new Refusal('not_undoable', 'One of these businesses was merged again. Undo that merge first.');
  return kept.id;
}

/** Accounts may have been deleted since: a lead goes to the holder of the lead that it was joined into. */
function withExistingUsers(
  { table, before, leadId }: merged.StoredRow,
  users: Set<number>,
  current: Map<string, merged.Row>,
): merged.Row | undefined {
  const row = { ...before };
  for (const column of ['created_by', 'replaced_by']) {
    if (column in row && !users.has(row[column] as number)) row[column] = null;
  }
  if (users.has(row.user_id as number) || !('user_id' in row)) return row;
  if (table !== 'user_businesses') return undefined;
  const holder = current.get(`user_businesses ${leadId}`)?.user_id;
  return holder === undefined ? undefined : { ...row, user_id: holder };
}
