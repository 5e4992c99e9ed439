import type { ImportChoices, ImportPreview } from '#contract/import/import-job.ts';

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

/** The rows that would become leads, and those refused, with the unknown users as decided. */
export function countOutcome(preview: ImportPreview, { replacements }: Decisions) {
  const replaced = preview.unknownUsers
    .filter(({ username }) => replacements.has(username))
    .reduce((sum, { rows }) => sum + rows, 0);
  return { imported: preview.newLeads + replaced, refused: preview.refused - replaced };
}
