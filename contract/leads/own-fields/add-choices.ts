import type { FieldChoice } from './field-type.ts';
import { FIELD_TYPES, isSameLabel } from './field-types.ts';
import { choiceLabel, MAX_CHOICES, MAX_STORED_CHOICES, mergeChoices, type OwnField } from './own-field.ts';

/** The names in a text that are no choices of the field, and could become some. */
export function listUnknownLabels({ type, choices }: OwnField, text: string): string[] {
  const labels = FIELD_TYPES[type].listLabels?.(text) ?? [];
  return labels.flatMap((label) => {
    const { data } = choiceLabel.safeParse(label);
    return data === undefined || choices.some((each) => isSameLabel(each.label, data)) ? [] : [data];
  });
}

const isOffered = ({ retired }: FieldChoice) => !retired;

/** How many choices the field can have besides those that it offers. */
export const countRoom = ({ choices }: Pick<OwnField, 'choices'>): number =>
  Math.min(MAX_CHOICES - choices.filter(isOffered).length, MAX_STORED_CHOICES - choices.length);

/** The choices with those of these names, after the others. One that was offered before is the same choice. */
export function addChoices({ choices }: Pick<OwnField, 'choices'>, labels: readonly string[]): FieldChoice[] {
  const offered = choices.filter(isOffered).map(({ id, label }) => ({ id, label }));
  const added = labels.filter((label) => !offered.some((each) => isSameLabel(each.label, label)));
  return mergeChoices(choices, [...offered, ...added.map((label) => ({ label }))]);
}

export const hasTooManyChoices = (choices: readonly FieldChoice[]): boolean =>
  choices.filter(isOffered).length > MAX_CHOICES || choices.length > MAX_STORED_CHOICES;
