import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '#contract/errors.ts';
import { listOwnTargets } from '#contract/import/import-target.ts';
import { addChoices, hasTooManyChoices } from '#contract/leads/own-fields/add-choices.ts';
import { MAX_CHOICES, type OwnField } from '#contract/leads/own-fields/own-field.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { ImportRecord } from '#server/import/imports.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { publishSettings } from '#server/live/publish.ts';
import { listFields, lockFields, updateField } from '#server/own-fields/own-fields.sql.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';

type Chosen = Pick<ImportRecord, 'columns' | 'choices'>;

/** The fields with the choices that the import adds to them. */
export const withNewChoices = (job: Chosen, fields: OwnField[]): OwnField[] =>
  fields.map((field) => {
    const labels = findLabels(job, field);
    return labels ? { ...field, choices: addChoices(field, labels) } : field;
  });

/** Only of fields that a column of the file becomes: another one may have been chosen since. */
function findLabels({ columns, choices }: Chosen, field: OwnField): string[] | undefined {
  const [target] = [...listOwnTargets([field]).keys()];
  if (!columns.some((column) => column.target === target)) return undefined;
  // Choices that an older version stored have none.
  return choices?.newChoices?.find(({ fieldId }) => fieldId === field.id)?.labels;
}

/** Refuses choices of a field that cannot have them. */
export async function requireNewChoices(tx: Db, job: Chosen) {
  requireRoom(job, await listFields(tx));
}

/** Adds the choices to their fields, for everyone. */
export async function addNewChoices(tx: Db, job: Chosen, { viewer, ip }: { viewer: Viewer; ip: string }) {
  const ids = job.choices?.newChoices?.map(({ fieldId }) => fieldId) ?? [];
  if (!ids.length) return;
  await requireCurrentRole(tx, viewer);
  const changed = requireRoom(job, await lockFields(tx, ids));
  for (const { id, choices } of changed) {
    await updateField(tx, id, { choices });
    await audit(tx, { event: 'field_changed', actorId: viewer.id, ip, details: { verb: 'change', fieldId: id } });
  }
  if (changed.length) await publishSettings(tx);
}

/** The fields that change, as they will be. */
function requireRoom(job: Chosen, fields: OwnField[]): OwnField[] {
  const changed = withNewChoices(job, fields).filter((field, nth) => !isDeepStrictEqual(field, fields[nth]));
  const tooMany = changed.find(({ choices }) => hasTooManyChoices(choices));
  if (!tooMany) return changed;
  throw new Refusal('validation_failed', `“${tooMany.name}” can have at most ${MAX_CHOICES} choices`);
}
