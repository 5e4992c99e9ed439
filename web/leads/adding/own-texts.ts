import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { type OwnField, readValue } from '#contract/leads/own-fields/own-field.ts';
import { type RestoredText, restoreText } from '#web/leads/own-draft.ts';

/** What was typed for fields of the team's own, by their ids; the names are for those that are gone since. */
export type OwnTexts = Record<string, { name: string; text: string; value?: string | undefined }>;

export const toErrorName = (fieldId: number) => `ownFields.${fieldId}`;

/** The fields of the form: those that are asked for, and those that were when something was typed for them. */
export const listAsked = (fields: readonly OwnField[] | undefined, texts: OwnTexts): OwnField[] =>
  (fields ?? []).filter(({ id, archived, inForm }) => !archived && (inForm || texts[id] !== undefined));

/** What was typed for a field that was archived or deleted meanwhile. */
export function listLeftOver(fields: readonly OwnField[] | undefined, texts: OwnTexts) {
  const asked = listAsked(fields, texts);
  return Object.entries(texts).flatMap(([id, typed]) =>
    asked.some((field) => String(field.id) === id) ? [] : [{ id: Number(id), ...typed }],
  );
}

/** What was typed for a field, with the names that its choices have by now. */
export const restoreOwnText = (field: OwnField, texts: OwnTexts): RestoredText =>
  restoreText(field, texts[field.id] ?? { text: '' });

/** The values of the texts, and what is wrong with them. */
export function readOwnTexts(fields: readonly OwnField[] | undefined, texts: OwnTexts) {
  const values: Record<string, OwnValue> = {};
  const issues: { path: string; message: string }[] = [];
  for (const field of listAsked(fields, texts)) {
    const read = readValue(field, restoreOwnText(field, texts).text);
    if ('error' in read) issues.push({ path: toErrorName(field.id), message: read.error });
    else if (read.value !== null) values[field.id] = read.value;
  }
  return { values, issues };
}
