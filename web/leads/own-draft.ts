import { FIELD_TYPES } from '#contract/leads/own-fields/field-types.ts';
import { checkValue, type OwnField, readValue, writeValue } from '#contract/leads/own-fields/own-field.ts';

/** What was typed and is not saved. Choices may be renamed meanwhile: they are kept by their ids, too. */
interface OwnDraft {
  text: string;
  value?: string | undefined;
}

/** A text to go on with, and what a user has to know about it. */
export interface RestoredText {
  text: string;
  note?: string;
}

const hasChoices = ({ type }: OwnField) => FIELD_TYPES[type].setting === 'choices';

/** The choices that a text names. Undefined where it names none. */
export function toDraftValue(field: OwnField, text: string): string | undefined {
  const read = readValue(field, text);
  return hasChoices(field) && 'value' in read && read.value !== null ? JSON.stringify(read.value) : undefined;
}

export function restoreText(field: OwnField, { text, value }: OwnDraft): RestoredText {
  if (!hasChoices(field) || !text.trim()) return { text };
  const read = readValue(field, text);
  const chosen = value === undefined ? read : checkValue(field, JSON.parse(value));
  if (!('value' in chosen) || chosen.value === null) {
    return { text, note: `You chose “${text}”, which is no choice of this field any more.` };
  }
  if ('value' in read && JSON.stringify(read.value) === JSON.stringify(chosen.value)) return { text };
  const renamed = writeValue(field, chosen.value);
  return { text: renamed, note: `You chose “${text}”. It was renamed meanwhile: “${renamed}”.` };
}
