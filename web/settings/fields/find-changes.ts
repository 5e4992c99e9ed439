import type { OfferedChoice, OwnField } from '#contract/leads/own-fields/own-field.ts';

const SETTINGS = ['name', 'help', 'unit', 'requiredToWin', 'inProfile', 'inTable', 'onCard', 'inForm'] as const;

interface Edited extends Pick<OwnField, (typeof SETTINGS)[number]> {
  /** Missing where the field has none. */
  choices?: OfferedChoice[];
}

interface Field {
  /** As it was when it was opened. */
  opened: OwnField;
  /** With what others have changed since. */
  now: OwnField;
}

/** What was edited of a field: all else stays as others have changed it meanwhile. */
export function findChanges(edited: Edited, { opened, now }: Field): Record<string, unknown> {
  const { choices } = edited;
  const isEdited = choices && JSON.stringify(choices) !== JSON.stringify(listOffered(opened));
  return {
    ...Object.fromEntries(SETTINGS.filter((key) => edited[key] !== opened[key]).map((key) => [key, edited[key]])),
    ...(isEdited && { choices: [...choices, ...listAdded(choices, { opened, now })] }),
  };
}

const listOffered = ({ choices }: OwnField): OfferedChoice[] =>
  choices.flatMap(({ id, label, retired }) => (retired ? [] : [{ id, label }]));

/** The choices that an import or another administrator has added: to leave them out would no longer offer them. */
function listAdded(choices: OfferedChoice[], { opened, now }: Field): OfferedChoice[] {
  const known = [...choices, ...listOffered(opened)];
  return listOffered(now).filter(({ id }) => !known.some((each) => each.id === id));
}
