import { Refusal } from '#contract/errors.ts';
import { type ImportChoices, NO_CHOICES } from '#contract/import/import-job.ts';
import type { Viewer } from '#contract/users/user.ts';
import { hasInactiveAssignee } from '#server/import/check/check-import.sql.ts';
import { rememberMapping } from '#server/import/file/inspect-file.ts';
import { type ImportRecord, startRun } from '#server/import/imports.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { addNewChoices } from './add-new-choices.ts';
import { findUsers } from './import-rows.sql.ts';
import { toReplacements } from './import-rows.ts';

/** Requires what the check was made with, and remembers what the columns became. */
export async function prepareStart(
  tx: Db,
  job: ImportRecord,
  { viewer, ip }: { viewer: Viewer; ip: string },
): Promise<ImportRecord> {
  if (job.preview?.undecided) {
    throw new Refusal('import_not_ready', 'Decide about the businesses with the same phone number first.');
  }
  await requireActiveReplacements(tx, job.choices ?? NO_CHOICES);
  await requireActiveAssignees(tx, job);
  await addNewChoices(tx, job, { viewer, ip });
  await rememberMapping(tx, job.columns);
  return startRun(tx, job.id, { state: 'running', userId: viewer.id, readRows: 0, lastRow: 0 });
}

export async function requireActiveReplacements(tx: Db, choices: ImportChoices) {
  const replacements = [...toReplacements(choices).values()];
  const active = new Set((await findUsers(tx, [], replacements)).map(({ id }) => id));
  if (replacements.every((id) => active.has(id))) return;
  throw new Refusal('invalid_target', 'A user who was chosen instead of an unknown one does not exist or is inactive');
}

/** Of the rows that are still to be imported. */
export async function requireActiveAssignees(tx: Db, { id, lastRow, startedAt }: ImportRecord) {
  if (!(await hasInactiveAssignee(tx, id, startedAt ? lastRow : 0))) return;
  const wayOut = startedAt
    ? 'Activate their account, or import the rest as a new file.'
    : 'Please check the file again.';
  throw new Refusal('invalid_target', `A user who was to get rows is inactive by now. ${wayOut}`);
}
