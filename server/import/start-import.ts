import { Refusal } from '#contract/errors.ts';
import type { ImportChoices } from '#contract/import/import-job.ts';
import type { Db } from '#server/kit/db/db.ts';
import { hasInactiveAssignee } from './check-import.sql.ts';
import { findUsers } from './import.sql.ts';
import { type ImportRecord, startRun } from './imports.sql.ts';
import { rememberMapping } from './inspect-file.ts';

/** Saves the choices, and remembers what the columns became. */
export async function prepareStart(
  tx: Db,
  job: ImportRecord,
  { choices, userId }: { choices: ImportChoices; userId: number },
): Promise<ImportRecord> {
  const replacements = [...new Set(choices.replacements.map((each) => each.userId))];
  const active = new Set((await findUsers(tx, [], replacements)).map(({ id }) => id));
  if (replacements.some((id) => !active.has(id))) {
    throw new Refusal(
      'invalid_target',
      'A user who was chosen instead of an unknown one does not exist or is inactive',
    );
  }
  await requireActiveAssignees(tx, job);
  await rememberMapping(tx, job.columns);
  const checked = { withoutUser: job.choices?.withoutUser };
  return startRun(tx, job.id, {
    ...{ state: 'running', userId, readRows: 0, lastRow: 0 },
    choices: { ...checked, ...choices },
  });
}

/** Of the rows that are still to be imported. */
export async function requireActiveAssignees(tx: Db, { id, lastRow, startedAt }: ImportRecord) {
  if (!(await hasInactiveAssignee(tx, id, startedAt ? lastRow : 0))) return;
  const wayOut = startedAt
    ? 'Activate their account, or import the rest as a new file.'
    : 'Please check the file again.';
  throw new Refusal('invalid_target', `A user who was to get rows is inactive by now. ${wayOut}`);
}
