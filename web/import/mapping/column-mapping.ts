import { formatTarget, IMPORT_COLUMNS, type ImportTarget, takesSeveral } from '#contract/import/import-target.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';

/** Why a file cannot be checked with these targets, in the words of the screen. */
export function findMappingProblems(targets: ImportTarget[], fields: readonly OwnField[] = []): string[] {
  const problems: string[] = [];
  if (!targets.includes('Business Name')) {
    problems.push('Business Name is required: choose the column that has it.');
  }
  for (const target of new Set(targets)) {
    const numbers = targets.flatMap((each, index) => (each === target ? [index + 1] : []));
    if (numbers.length > 1 && !takesSeveral(target)) {
      problems.push(
        `${formatTarget(target, fields)} is chosen for columns ${joinNumbers(numbers)}: choose one of them.`,
      );
    }
  }
  return problems;
}

/** The optional columns that the file does not have. A postcode is a part of the address. */
export const listUnusedTargets = (targets: ImportTarget[]): string[] =>
  IMPORT_COLUMNS.filter((column) => column !== 'Business Name' && !targets.includes(column));

/** Whether the row of the headings looks like a title above the table. */
export const looksLikeTitle = (headings: string[]) =>
  headings.length >= 3 && headings.filter((heading) => heading.trim() !== '').length <= 1;

/** "2, 3 and 5" */
const joinNumbers = (numbers: number[]) => `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
