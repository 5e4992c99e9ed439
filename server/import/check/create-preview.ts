import { type ImportPreview, type LookAlike, type LookAlikeKind, lookAlikeKind } from '#contract/import/import-job.ts';
import { isReservedTag } from '#contract/leads/lead.ts';
import { countRoom } from '#contract/leads/own-fields/add-choices.ts';
import { MAX_CHOICES, type OwnField } from '#contract/leads/own-fields/own-field.ts';
import { toStorable } from '#server/import/imports.sql.ts';

const MAX_LISTED = 200;
const MAX_LISTED_TEXT = 128 * 1024;
/** Of each kind. */
const MAX_LOOK_ALIKES = 100;
/** As many as an administrator can choose replacements for. */
const MAX_UNKNOWN_USERS = 1_000;
/** Of each field. */
const MAX_DISTINCT_CHOICES = 1_000;
/** Beyond this, neither tags nor names of unknown users are distinguished, so that memory is bounded. */
const MAX_DISTINCT = 10_000;

/** Collects a preview, whose lists are limited. */
export function createPreview() {
  const counts = {
    rows: 0,
    newBusinesses: 0,
    newLeads: 0,
    alreadyThere: 0,
    repeated: 0,
    refused: 0,
    undecided: 0,
  };
  const refusedRows: ImportPreview['refusedRows'] = [];
  let refusedText = 0;
  const lookAlikes = new Map<LookAlikeKind, LookAlike[]>();
  const lookAlikeCounts = { unclaimed: 0, held: 0, phone: 0, file: 0 };
  let withoutUser = 0;
  const unknownUsers = new Map<string, { username: string; rows: number }>();
  const seenTags = new Set<string>();
  const newTags = new Set<string>();
  const newChoices = new Map<number, { field: OwnField; byLabel: Map<string, { label: string; rows: number }> }>();
  const selectBest = (listed: LookAlike[]) =>
    listed.sort((a, b) => b.match.score - a.match.score || a.row - b.row).slice(0, MAX_LOOK_ALIKES);

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
    /** The names in a row that are no choices. */
    addNewChoices(found: { field: OwnField; label: string }[]) {
      const seen = new Set<string>();
      for (const { field, label } of found) {
        const { byLabel } = newChoices.get(field.id) ?? { byLabel: new Map() };
        newChoices.set(field.id, { field, byLabel });
        const key = label.toLowerCase();
        const known = byLabel.get(key);
        if (seen.has(`${field.id} ${key}`)) continue;
        seen.add(`${field.id} ${key}`);
        if (known) known.rows += 1;
        else if (byLabel.size < MAX_DISTINCT_CHOICES) byLabel.set(key, { label: toStorable(label), rows: 1 });
      }
    },
    addLookAlike(lookAlike: LookAlike) {
      const { kind } = lookAlike;
      lookAlikeCounts[kind] += 1;
      const listed = [...(lookAlikes.get(kind) ?? []), lookAlike];
      lookAlikes.set(kind, listed.length >= 2 * MAX_LOOK_ALIKES ? selectBest(listed) : listed);
    },
    addWithoutUser() {
      withoutUser += 1;
    },
    finish: () => ({
      ...counts,
      refusedRows,
      unknownUsers: [...unknownUsers.values()].sort((a, b) => b.rows - a.rows).slice(0, MAX_UNKNOWN_USERS),
      newTags: [...newTags].sort((a, b) => a.localeCompare(b)).slice(0, MAX_LISTED),
      newTagCount: newTags.size,
      newChoices: [...newChoices.values()].map(({ field, byLabel }) => ({
        ...{ fieldId: field.id, name: field.name, room: countRoom(field) },
        labels: [...byLabel.values()].sort((a, b) => b.rows - a.rows).slice(0, MAX_CHOICES),
        others: Math.max(0, byLabel.size - MAX_CHOICES),
      })),
      lookAlikes: lookAlikeKind.options.flatMap((kind) => selectBest(lookAlikes.get(kind) ?? [])),
      lookAlikeCounts,
      withoutUserCount: withoutUser,
    }),
  };
}
