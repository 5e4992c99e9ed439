import { Refusal } from '#contract/errors.ts';
import { listNewChoices, mapColumns } from '#contract/import/csv-row.ts';
import { type ImportChoices, type ImportPreview, NO_CHOICES } from '#contract/import/import-job.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import { refreshAllKeys } from '#server/duplicates/refresh-keys.sql.ts';
import { addProgress, type ImportRecord } from '#server/import/imports.sql.ts';
import { ImportCancelled } from '#server/import/run/import-results.ts';
import { findUsers, toPlaceId } from '#server/import/run/import-rows.sql.ts';
import {
  type Batch,
  createUserLookup,
  type PlacedRow,
  readBatches,
  refuseUser,
  toReplacements,
} from '#server/import/run/import-rows.ts';
import type { OpenTable } from '#server/import/run/open-import.ts';
import { createRowSharing } from '#server/import/share-rows.ts';
import { type Db, requireFreeSpace } from '#server/kit/db/db.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import * as checks from './check-import.sql.ts';
import { createPreview } from './create-preview.ts';
import { createDecider } from './decide-rows.ts';
import { createFileIndex } from './file-look-alikes.ts';
import { findLookAlikes } from './find-look-alikes.ts';

interface CheckRun {
  /** Reads, and writes what was decided. */
  tx: Db;
  /** For what is seen, and kept, before the check has ended: its progress, and the keys of businesses. */
  db: Db;
  job: ImportRecord;
  signal: AbortSignal;
  /** The month of goals that rows are shared out by. */
  month: TimeRange;
}

/**
 * Counts what an import with these choices will do, without writing any of it, and stores what it decided about each row.
 * Queries that only read are enough: an import decides by the state of the database and by the rows before, which are
 * kept as hashes. Running the import's own statements and rolling them back would lock the businesses of a whole file for
 * minutes.
 */
export async function checkRows({ table, readBytes }: OpenTable, run: CheckRun): Promise<ImportPreview> {
  const { columns, rows } = table;
  const { tx, db, job, signal, month } = run;
  const importerId = job.userId ?? 0;
  const choices: ImportChoices = job.choices ?? NO_CHOICES;
  const preview = createPreview();
  const decide = createDecider(choices);
  const sharing = choices.withoutUser && (await createRowSharing(tx, choices.withoutUser, month));
  const replacements = toReplacements(choices);
  // Without the choices that the administrator adds: they are still listed.
  const known = mapColumns(job.columns, await listFields(tx));
  const index = createFileIndex();
  const businesses = new Set<string>();
  const leads = new Set<string>();
  let prepared = false;
  let lastRow = 0;

  for await (const batch of readBatches(columns, rows)) {
    const usernames = [...new Set(batch.valid.map(({ values }) => values.username.toLowerCase()).filter(Boolean))];
    const users = await findUsers(tx, usernames, [...replacements.values()]);
    const [findUser, findNamed] = [
      createUserLookup(users, importerId, replacements),
      createUserLookup(users, importerId),
    ];
    const refused = [...batch.refused];
    const inOrder = [...refused, ...batch.valid.map(({ record }) => record)].sort((a, b) => a.row - b.row);
    for (const { cells } of inOrder) preview.addNewChoices(listNewChoices(known, cells));
    const accepted: (PlacedRow & { userId: number })[] = [];
    for (const { record, values } of batch.valid) {
      const userId = findUser(values.username);
      if (findNamed(values.username) === undefined) preview.addUnknownUser(values.username);
      if (userId === undefined) refused.push(refuseUser(columns, record, values));
      else accepted.push({ row: record.row, values, userId, placeId: toPlaceId(values) });
      if (!values.username) preview.addWithoutUser();
    }
    preview.addRefused(refused.sort((a, b) => a.row - b.row));

    const found = await findBusinesses(accepted);
    const assignees = sharing ? await sharing.assign(found.map(toShared)) : new Map<number, number>();
    const assigned = found.map((each) => ({ ...each, userId: assignees.get(each.row) ?? each.userId }));
    const onStored = assigned.flatMap(({ storedId, match, userId, row }) => {
      const businessId = storedId ?? match?.businessId;
      return businessId === undefined ? [] : [{ businessId, userId, row }];
    });
    const existing = await checks.findExistingLeads(tx, onStored);
    const existingRows = new Set(onStored.filter((_, nth) => existing.has(nth)).map(({ row }) => row));
    const holders = await checks.findHolders(
      tx,
      onStored.map(({ businessId }) => businessId),
    );

    const newTags: string[] = [];
    const decided: checks.DecidedMatch[] = [];
    for (const each of assigned) {
      const { row, placeId, userId, values, storedId, match } = each;
      const has = existingRows.has(row);
      const onBusiness = has ? [] : (holders.get(storedId ?? match?.businessId ?? 0) ?? []);
      const { lookAlike, businessId, leftOut } = decide({ ...each, holders: onBusiness });
      if (lookAlike) preview.addLookAlike(lookAlike);
      const lead = `${businessId ?? placeId} ${userId}`;
      const isRepeated = leads.has(lead) || (leftOut && lookAlike?.kind === 'file');
      const isThere = leftOut || (has && businessId !== undefined);
      const isUndecided = lookAlike?.decision === null;
      if (isUndecided) preview.counts.undecided += 1;
      else if (isRepeated) preview.counts.repeated += 1;
      else if (isThere) preview.counts.alreadyThere += 1;
      else {
        preview.counts.newLeads += 1;
        newTags.push(...values.tags);
      }
      if (!values.username && !isUndecided) sharing?.count(row, isRepeated || isThere ? 'held' : 'new');
      const onExisting = storedId === undefined ? businessId : undefined;
      if (onExisting !== undefined || leftOut || isRepeated) {
        decided.push({ row, businessId: leftOut ? null : (onExisting ?? null), leftOut, repeated: isRepeated });
      }
      if (leftOut) continue;
      leads.add(lead);
      if (businessId !== undefined || businesses.has(placeId)) continue;
      businesses.add(placeId);
      preview.counts.newBusinesses += 1;
    }
    preview.addNewTags(await checks.findNewTags(tx, preview.selectUnseenTags(newTags)));
    preview.counts.rows += batch.size;
    await saveBatch(batch, decided, assignees);
    signal.throwIfAborted();
  }
  const { withoutUserCount, ...finished } = preview.finish();
  return { ...finished, withoutUser: { rows: withoutUserCount, shares: sharing?.shares() ?? [] } };

  /** The stored business of each row, or the one that it looks like, stored or of a row before. */
  async function findBusinesses(accepted: (PlacedRow & { userId: number })[]) {
    const stored = await checks.findStoredPlaces(tx, [...new Set(accepted.map(({ placeId }) => placeId))]);
    const unknown = accepted.filter(({ placeId }) => !stored.has(placeId));
    // Not for a file whose businesses are all stored.
    if (unknown.length && !prepared) await refreshAllKeys(db, signal);
    prepared ||= unknown.length > 0;
    const matches = await findLookAlikes(
      tx,
      unknown.map(({ values }) => values),
    );
    const byRow = new Map(unknown.map(({ row }, nth) => [row, matches[nth]]));
    return accepted.map((each) => {
      const storedId = stored.get(each.placeId);
      const fileMatch = storedId === undefined ? index.add(each) : undefined;
      return { ...each, storedId, match: byRow.get(each.row), fileMatch };
    });
  }

  async function saveBatch(
    { lastRow: reached, size }: Batch,
    decided: checks.DecidedMatch[],
    assignees: ReadonlyMap<number, number>,
  ) {
    requireFreeSpace(tx);
    await checks.insertMatches(tx, job.id, decided);
    const assigned = [...assignees].map(([row, userId]) => ({ row, userId }));
    await checks.insertAssignees(tx, job.id, assigned);
    const progress = { lastRow: reached, rows: size, readBytes: readBytes(), ...NONE_WRITTEN };
    const saved = await addProgress(db, { ...job, lastRow }, progress);
    if (!saved) throw new Refusal('import_not_ready', 'The check was stopped.');
    if (saved.cancelRequested) throw new ImportCancelled();
    lastRow = reached;
  }
}

const NONE_WRITTEN = { successful: 0, failed: 0, created: 0, repeated: 0 };

type Found = PlacedRow & {
  userId: number;
  storedId: number | undefined;
  match: { businessId: number } | undefined;
  fileMatch: { placeId: string } | undefined;
};

/** A row that looks like one before is shared out as that one. */
const toShared = ({ fileMatch, storedId, match, ...row }: Found) => ({
  ...row,
  placeId: fileMatch?.placeId ?? row.placeId,
  businessId: storedId ?? match?.businessId,
});
