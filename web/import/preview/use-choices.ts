import { useEffect, useState } from 'react';
import {
  DEFAULT_DECISION,
  type ImportChoices,
  type ImportJob,
  type LookAlike,
  type LookAlikeKind,
  lookAlikeKind,
  type RowDecision,
} from '#contract/import/import-job.ts';
import { useRecheckImport } from '#web/import/import-jobs.data.ts';

/** What is chosen about a checked import. Every change checks the file again, so that the numbers are those of the result. */
export function useChoices(job: ImportJob) {
  /** Undefined once they are counted: then the server's are shown, which another administrator may change. */
  const [changed, setChanged] = useState<ImportChoices>();
  const choices = changed ?? job.choices;
  const { mutate, isPending, isError, variables } = useRecheckImport(job.id);
  const isCounted = job.state === 'checked' && toKey(choices) === toKey(job.choices);
  // Not sent twice: the response may be here before the import that it updates.
  const isSent = variables !== undefined && toKey(variables) === toKey(choices);
  const isDue = job.state === 'checked' && !isCounted && !isPending && !isSent;
  useEffect(() => {
    if (isDue) mutate(choices);
  }, [isDue, choices, mutate]);
  useEffect(() => {
    if (isCounted) setChanged(undefined);
  }, [isCounted]);
  return {
    choices,
    change: (next: Partial<ImportChoices>) => setChanged({ ...choices, ...next }),
    isCounted,
    /** Undefined unless the last check could not be started. */
    retry: isError && isSent && !isCounted ? () => mutate(choices) : undefined,
  };
}

/** The same for choices that differ only in the order of their keys. */
const toKey = ({ withoutUser, replacements, decisions, exceptions, newChoices }: ImportChoices) =>
  JSON.stringify([
    withoutUser,
    replacements,
    lookAlikeKind.options.map((kind) => decisions[kind] ?? null),
    exceptions,
    newChoices.map(({ fieldId, labels }) => [fieldId, labels]),
  ]);

/** Of all look-alikes of a kind; null: undecided. */
export const findDecision = ({ decisions }: ImportChoices, kind: LookAlikeKind): RowDecision | null =>
  decisions[kind] ?? DEFAULT_DECISION[kind];

export const findRowDecision = (choices: ImportChoices, { row, kind }: LookAlike): RowDecision | null =>
  choices.exceptions.find((each) => each.row === row)?.decision ?? findDecision(choices, kind);

export const decideRow = ({ exceptions }: ImportChoices, row: number, decision: RowDecision) => ({
  exceptions: [...exceptions.filter((each) => each.row !== row), { row, decision }],
});
