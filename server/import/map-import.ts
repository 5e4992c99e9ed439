import { Refusal } from '#contract/errors.ts';
import type { ImportMapping } from '#contract/import/import-job.ts';
import {
  formatTarget,
  type ImportTarget,
  isBuiltIn,
  listOwnTargets,
  takesSeveral,
} from '#contract/import/import-target.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { inspectPlace } from '#server/import/file/inspect-file.ts';
import type { Db } from '#server/kit/db/db.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import type { ImportRecord } from './imports.sql.ts';

/** The chosen columns; of another sheet or row, those that are suggested for it. */
export async function chooseMapping(db: Db, job: ImportRecord, { sheet, headerRow, targets }: ImportMapping) {
  if (sheet !== job.sheet || headerRow !== job.headerRow) return inspectPlace(db, job, { sheet, headerRow });
  if (targets.length !== job.columns.length) {
    throw new Refusal('validation_failed', `The file has ${job.columns.length} columns, not ${targets.length}`);
  }
  requireMapping(targets, await listFields(db));
  return {
    columns: job.columns.map((column, index) => ({ ...column, target: targets[index] ?? ('Ignore' as const) })),
  };
}

function requireMapping(targets: ImportTarget[], fields: OwnField[]) {
  const own = listOwnTargets(fields);
  if (targets.some((target) => !own.has(target) && !isBuiltIn(target))) {
    throw new Refusal('validation_failed', 'A field that was chosen for a column no longer exists, or is archived');
  }
  if (!targets.includes('Business Name')) {
    throw new Refusal('validation_failed', 'Choose the column with the names of the businesses');
  }
  const twice = targets.find((target, at) => !takesSeveral(target) && targets.indexOf(target) !== at);
  if (twice) throw new Refusal('validation_failed', `Only one column can become ${formatTarget(twice, fields)}`);
}
