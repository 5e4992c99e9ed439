import { useState } from 'react';
import type { ImportJob, ImportTarget } from '#contract/import/import-job.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { ColumnList } from './ColumnList.tsx';
import { findMappingProblems, listUnusedTargets } from './column-mapping.ts';
import { DiscardButton } from './DiscardButton.tsx';
import { useCheckImport, useMapImport } from './import-jobs.data.ts';
import { StepHeading } from './StepHeading.tsx';
import { TablePosition } from './TablePosition.tsx';

interface Props {
  job: ImportJob;
  onCheck: () => void;
}

/** Chooses where the table is in the file, and what its columns become. */
export function MatchColumns({ job, onCheck }: Props) {
  /** By the index of the column. */
  const [changed, setChanged] = useState<Record<number, ImportTarget>>({});
  const move = useMapImport(job.id);
  const check = useCheckImport(job.id);
  const { sheet, headerRow, columns, remembered } = job;
  const targets = columns.map(({ target }, index) => changed[index] ?? target);
  const problems = findMappingProblems(targets);
  const unused = listUnusedTargets(targets);

  return (
    <Card className="flex max-w-4xl flex-col gap-5">
      <div className="flex flex-col gap-1">
        <StepHeading>Match columns</StepHeading>
        <p className="text-sm text-muted">
          Choose what each column of the file becomes. Nothing is imported before you have seen what will happen.
        </p>
      </div>
      {remembered && (
        <Notice tone="good">These choices are remembered from an earlier file with the same headings.</Notice>
      )}
      <TablePosition
        job={job}
        moving={move.isPending ? move.variables : undefined}
        // The columns of another table are suggested anew.
        onMove={(to) => move.mutate({ ...to, targets }, { onSuccess: () => setChanged({}) })}
      />
      <ColumnList
        columns={columns}
        targets={targets}
        onChange={(index, target) => setChanged({ ...changed, [index]: target })}
      />
      <div role="status" className="flex flex-col gap-1 text-sm">
        {problems.map((problem) => (
          <p key={problem} className="font-medium text-danger-text">
            {problem}
          </p>
        ))}
        {unused.length > 0 && <p className="text-muted">Not in this file: {unused.join(', ')}.</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={check.isPending}
          disabled={problems.length > 0 || move.isPending}
          onClick={() => check.mutate({ sheet, headerRow, targets }, { onSuccess: onCheck })}
        >
          Check file
        </Button>
        <DiscardButton id={job.id} />
      </div>
    </Card>
  );
}
