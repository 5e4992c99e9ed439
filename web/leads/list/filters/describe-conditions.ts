import type { TeamFormat } from '#contract/format.ts';
import { formatValue, type OwnField } from '#contract/leads/own-fields/own-field.ts';
import { findInvalidCondition, type OwnCondition } from '#contract/leads/own-fields/own-filter.ts';

interface Described {
  label: string;
  /** What is left without it. */
  others: OwnCondition[];
}

/** Conditions on the team's own fields as people read them: "Supplier: Acme or Böhm", "Tables: 10 to 20". */
export function describeConditions(
  conditions: readonly OwnCondition[],
  fields: readonly OwnField[],
  team: TeamFormat,
): Described[] {
  const groups = new Map<string, OwnCondition[]>();
  for (const condition of conditions) {
    const key = toGroup(condition, fields);
    groups.set(key, [...(groups.get(key) ?? []), condition]);
  }
  return [...groups.values()].map((group) => ({
    label: describeGroup(group, fields, team),
    others: conditions.filter((condition) => !group.includes(condition)),
  }));
}

const findFieldOf = ({ fieldId }: OwnCondition, fields: readonly OwnField[]) => fields.find(({ id }) => id === fieldId);

/** From one value to another is one filter, and so are all that no field is there for. */
function toGroup(condition: OwnCondition, fields: readonly OwnField[]): string {
  const { fieldId, operator, operands } = condition;
  if (!findFieldOf(condition, fields)) return 'gone';
  return operator === 'from' || operator === 'to' ? `${fieldId}` : JSON.stringify([fieldId, operator, operands]);
}

function describeGroup(group: OwnCondition[], fields: readonly OwnField[], team: TeamFormat): string {
  const [condition] = group;
  const field = condition && findFieldOf(condition, fields);
  if (!field) return 'A field that no longer exists';
  const name = field.archived ? `${field.name} (archived)` : field.name;
  if (findInvalidCondition(group, fields)) return `${name}: not a valid filter`;
  const words = group.map((each) => describeCondition(each, field, team));
  const [from, to] = (['from', 'to'] as const).map((end) => {
    const found = group.find(({ operator }) => operator === end)?.operands[0];
    return found === undefined ? undefined : formatValue(field, found, team);
  });
  if (from !== undefined && to !== undefined) return `${name}: ${from === to ? from : `${from} to ${to}`}`;
  return `${name}: ${words.join(', ')}`;
}

function describeCondition({ operator, operands }: OwnCondition, field: OwnField, team: TeamFormat): string {
  const format = (asList: boolean) =>
    operands.map((operand) => formatValue(field, asList ? [String(operand)] : operand, team)).join(' or ');
  switch (operator) {
    case 'contains':
      return `contains “${operands[0]}”`;
    case 'is':
      return format(false);
    case 'is_not':
      return `not ${format(false)}`;
    case 'has':
      return `has ${format(true)}`;
    case 'has_not':
      return `without ${format(true)}`;
    case 'from':
      return `from ${format(false)}`;
    case 'to':
      return `up to ${format(false)}`;
    case 'empty':
      return 'empty';
    case 'not_empty':
      return 'not empty';
  }
}
