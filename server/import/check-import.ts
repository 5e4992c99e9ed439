import type { DuplicateMatch } from '#contract/duplicates/duplicate.ts';
import { Refusal } from '#contract/errors.ts';
import type { ImportPreview } from '#contract/import/import-job.ts';
import { isReservedTag } from '#contract/leads/lead.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import { refreshAllKeys } from '#server/duplicates/refresh-keys.ts';
import type { Db } from '#server/kit/db/db.ts';
import * as checks from './check-import.sql.ts';
import { findLookAlikes } from './find-look-alikes.ts';
import { findUsers, toPlaceId } from './import.sql.ts';
import { createUserLookup, ImportCancelled, type PlacedRow, readBatches, refuseUser } from './import-rows.ts';
import { addProgress, type ImportRecord, toStorable } from './imports.sql.ts';
import type { Table } from './read-table.ts';
import { createRowSharing } from './share-rows.ts';

const MAX_LISTED = 200;
const MAX_LISTED_TEXT = 128 * 1024;
/** As many as an administrator can choose replacements for. */
const MAX_UNKNOWN_USERS = 1_000;
/** Beyond this, neither tags nor names of unknown users are distinguished, so that memory is bounded. */
const MAX_DISTINCT = 10_000;

interface CheckRun {
  db: Db;
  job: ImportRecord;
  importerId: number;
  signal: AbortSignal;
  readBytes: () => number;
  month: TimeRange;
}

/**
 * Counts what an import with the default choices will do, without writing any of it. Queries that only read are enough: an
 * import decides by the state of the database and by the rows before, which are kept as hashes. Running the import's own
 * statements and rolling them back would lock the businesses of a whole file for minutes.
 */
export async function checkRows({ columns, rows }: Table, { db, job, importerId, signal, readBytes, month }: CheckRun) {
  const preview = createPreview();
  const choice = job.choices?.withoutUser;
  const sharing = choice && (await createRowSharing(db, choice, month));
  const businesses = new Set<string>();
  const leads = new Set<string>();
  let prepared = false;

  for await (const batch of readBatches(columns, rows)) {
    const usernames = [...new Set(batch.valid.map(({ values }) => values.username.toLowerCase()).filter(Boolean))];
    const findUser = createUserLookup(await findUsers(db, usernames, []), importerId);
    const refused = [...batch.refused];
    const accepted: (PlacedRow & { userId: number })[] = [];
    for (const { record, values } of batch.valid) {
      const userId = findUser(values.username);
      if (userId === undefined) {
        preview.addUnknownUser(values.username);
        refused.push(refuseUser(columns, record, values));
      } else accepted.push({ row: record.row, values, userId, placeId: toPlaceId(values) });
      if (!values.username) preview.counts.withoutUser += 1;
    }
    preview.addRefused(refused.sort((a, b) => a.row - b.row));

    const stored = await checks.findStoredPlaces(db, [...new Set(accepted.map(({ placeId }) => placeId))]);
    const matches = await matchNew(accepted.filter(({ placeId }) => !stored.has(placeId)));
    const onBusiness = accepted.map((each) => ({
      ...each,
      businessId: stored.get(each.placeId) ?? matches.get(each.row)?.businessId,
    }));
    const assignees = sharing ? await sharing.assign(onBusiness) : new Map<number, number>();
    const targets = onBusiness.map((each) => ({ ...each, userId: assignees.get(each.row) ?? each.userId }));
    const onStored = targets.flatMap(({ businessId, userId, row }) =>
      businessId === undefined ? [] : [{ businessId, userId, row }],
    );
    const existing = await checks.findExistingLeads(db, onStored);
    const existingRows = new Set(onStored.filter((_, nth) => existing.has(nth)).map(({ row }) => row));

    const newTags: string[] = [];
    for (const { row, userId, placeId, businessId, values } of targets) {
      const business = businessId === undefined ? placeId : String(businessId);
      if (businessId === undefined && !businesses.has(placeId)) {
        businesses.add(placeId);
        preview.counts.newBusinesses += 1;
      }
      const lead = `${business} ${userId}`;
      const isNew = !leads.has(lead) && !existingRows.has(row);
      if (leads.has(lead)) preview.counts.repeated += 1;
      else if (!isNew) preview.counts.alreadyThere += 1;
      else {
        preview.counts.newLeads += 1;
        newTags.push(...values.tags);
      }
      leads.add(lead);
      if (!values.username) sharing?.count(row, isNew ? 'new' : 'held');
    }
    const unseen = preview.selectUnseenTags(newTags);
    preview.addNewTags(await checks.findNewTags(db, unseen));
    preview.counts.rows += batch.size;
    await saveBatch(batch.lastRow, batch.size, [...matches], assignees);
    signal.throwIfAborted();
  }
  const { withoutUser, ...found } = preview.finish();
  return { ...found, withoutUser: { rows: withoutUser, choice: choice ?? null, shares: sharing?.shares() ?? [] } };

  async function matchNew(rows: PlacedRow[]): Promise<Map<number, DuplicateMatch>> {
    if (!rows.length) return new Map();
    // Not for a file whose businesses are all stored.
    if (!prepared) await refreshAllKeys(db, signal);
    prepared = true;
    const found = await findLookAlikes(
      db,
      rows.map(({ values }) => values),
    );
    const matches = new Map<number, DuplicateMatch>();
    for (const [nth, { row, values }] of rows.entries()) {
      const match = found[nth];
      if (!match) continue;
      matches.set(row, match);
      preview.addLookAlike({ row, name: values.name, match });
    }
    return matches;
  }

  function saveBatch(
    lastRow: number,
    rows: number,
    matches: [number, DuplicateMatch][],
    assignees: ReadonlyMap<number, number>,
  ) {
    return db.transaction(async (tx) => {
      const progress = { lastRow, rows, readBytes: readBytes(), successful: 0, failed: 0, created: 0 };
      const saved = await addProgress(tx, job, progress);
      if (!saved) throw new Refusal('import_not_ready', 'The check was stopped.');
      if (saved.cancelRequested) throw new ImportCancelled();
      const stored = matches.map(([row, { businessId }]) => ({ row, businessId }));
      await checks.insertMatches(tx, job.id, stored);
      const assigned = [...assignees].map(([row, userId]) => ({ row, userId }));
      await checks.insertAssignees(tx, job.id, assigned);
    });
  }
}

/** Collects a preview, whose lists are limited. */
function createPreview() {
  const counts = {
    rows: 0,
    newBusinesses: 0,
    newLeads: 0,
    alreadyThere: 0,
    repeated: 0,
    refused: 0,
    lookAlikeCount: 0,
    withoutUser: 0,
  };
  const refusedRows: ImportPreview['refusedRows'] = [];
  let refusedText = 0;
  let lookAlikes: ImportPreview['lookAlikes'] = [];
  const unknownUsers = new Map<string, { username: string; rows: number }>();
  const seenTags = new Set<string>();
  const newTags = new Set<string>();
  const byScore = (a: { match: DuplicateMatch }, b: { match: DuplicateMatch }) => b.match.score - a.match.score;

  return {
    counts,
    addRefused(rows: ImportPreview['refusedRows']) {
      counts.refused += rows.length;
      for (const { row, reason, cells, wrong } of rows.slice(0, MAX_LISTED - refusedRows.length)) {
        refusedText += cells.reduce((sum, cell) => sum + cell.length, reason.length);
        if (refusedText > MAX_LISTED_TEXT) return;
        refusedRows.push({ row, reason: toStorable(reason), cells: cells.map(toStorable), wrong });
      }
    },
    addUnknownUser(username: string) {
      const known = unknownUsers.get(username.toLowerCase());
      if (known) known.rows += 1;
      else if (unknownUsers.size < MAX_DISTINCT) unknownUsers.set(username.toLowerCase(), { username, rows: 1 });
    },
    selectUnseenTags(tags: string[]): string[] {
      const unseen = [...new Set(tags)].filter((tag) => !seenTags.has(tag) && !isReservedTag(tag));
      const selected = unseen.slice(0, MAX_DISTINCT - seenTags.size);
      for (const tag of selected) seenTags.add(tag);
      return selected;
    },
    addNewTags(tags: string[]) {
      for (const tag of tags) newTags.add(tag);
    },
    addLookAlike(lookAlike: ImportPreview['lookAlikes'][number]) {
      counts.lookAlikeCount += 1;
      lookAlikes.push(lookAlike);
      if (lookAlikes.length >= 2 * MAX_LISTED) lookAlikes = lookAlikes.sort(byScore).slice(0, MAX_LISTED);
    },
    finish: () => ({
      ...counts,
      refusedRows,
      unknownUsers: [...unknownUsers.values()].sort((a, b) => b.rows - a.rows).slice(0, MAX_UNKNOWN_USERS),
      newTags: [...newTags].sort((a, b) => a.localeCompare(b)).slice(0, MAX_LISTED),
      newTagCount: newTags.size,
      lookAlikes: lookAlikes.sort(byScore).slice(0, MAX_LISTED),
    }),
  };
}
