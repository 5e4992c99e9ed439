import type { FileColumn, ImportChoices, ImportPreview } from '#contract/import/import-job.ts';

/** What the administrator has decided about a preview so far. */
export interface Decisions {
  /** The user who gets the rows of an unknown name; rows of other unknown names are refused. */
  replacements: ReadonlyMap<string, number>;
  useExisting: boolean;
  /** Rows with a decision of their own: whether the existing business is used. */
  useExistingInRow: ReadonlyMap<number, boolean>;
}

export const NO_DECISIONS: Decisions = { replacements: new Map(), useExisting: true, useExistingInRow: new Map() };

export function toChoices(preview: ImportPreview, decisions: Decisions): ImportChoices {
  return {
    replacements: [...decisions.replacements].map(([username, userId]) => ({ username, userId })),
    useExisting: decisions.useExisting,
    exceptions: preview.lookAlikes.flatMap(({ row }) =>
      (decisions.useExistingInRow.get(row) ?? decisions.useExisting) === decisions.useExisting ? [] : [row],
    ),
  };
}

/** What would happen with these decisions; the preview counts with none, and with existing businesses for look-alikes. */
export function countOutcome(preview: ImportPreview, decisions: Decisions) {
  const replaced = preview.unknownUsers
    .filter(({ username }) => decisions.replacements.has(username))
    .reduce((sum, { rows }) => sum + rows, 0);
  const addedAsNew = countAddedAsNew(preview, decisions);
  return {
    newBusinesses: preview.newBusinesses + addedAsNew,
    // A look-alike may be a lead already, and becomes a new one when it is added as new.
    imported: Math.max(preview.newLeads + replaced, addedAsNew),
    refused: preview.refused - replaced,
  };
}

/** The listed rows that stay refused: not those whose only fault is a user that is replaced. */
export function listRefused({ refusedRows }: ImportPreview, columns: FileColumn[], { replacements }: Decisions) {
  const replaced = new Set([...replacements.keys()].map((username) => username.toLowerCase()));
  const userColumn = columns.findIndex(({ target }) => target === 'User');
  return refusedRows.filter(
    ({ cells, wrong }) =>
      !wrong.every((column) => column === userColumn) ||
      wrong.length === 0 ||
      !replaced.has((cells[userColumn] ?? '').replace(/\s+/g, ' ').trim().toLowerCase()),
  );
}

function countAddedAsNew({ lookAlikes, lookAlikeCount }: ImportPreview, { useExisting, useExistingInRow }: Decisions) {
  const listed = lookAlikes.filter(({ row }) => !(useExistingInRow.get(row) ?? useExisting)).length;
  return useExisting ? listed : listed + lookAlikeCount - lookAlikes.length;
}
