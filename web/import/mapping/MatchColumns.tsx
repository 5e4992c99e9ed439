import { useRef } from 'react';
import { z } from 'zod';
import type { ImportJob } from '#contract/import/import-job.ts';
import { type ImportTarget, importTarget } from '#contract/import/import-target.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { DiscardButton } from '#web/import/DiscardButton.tsx';
import { useCheckImport, useMapImport } from '#web/import/import-jobs.data.ts';
import { StepHeading } from '#web/import/StepHeading.tsx';
import { useTextDraft } from '#web/kit/storage/drafts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { ColumnList } from './ColumnList.tsx';
import { ColumnsUnderstood } from './ColumnsUnderstood.tsx';
import { findMappingProblems, listUnusedTargets } from './column-mapping.ts';
import { TablePosition } from './TablePosition.tsx';

interface Props {
  job: ImportJob;
  onCheck: () => void;
}

/** Chooses where the table is in the file, and what its columns become. */
export function MatchColumns({ job, onCheck }: Props) {
  const [changed, setChanged] = useChangedTargets(job.id);
  const list = useRef<HTMLDivElement>(null);
  const move = useMapImport(job.id);
  const check = useCheckImport(job.id);
  const { sheet, headerRow, columns, remembered } = job;
  const targets = columns.map(({ target }, index) => changed[index] ?? target);
  const problems = findMappingProblems(targets, useOwnFields());
  const unused = listUnusedTargets(targets);

  const finish = () => {
    setChanged({});
    onCheck();
  };

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
      <ColumnsUnderstood
        columns={columns.map((column, index) => ({ ...column, target: targets[index] ?? 'Ignore' }))}
        onShow={(index) => list.current?.querySelectorAll('select')[index]?.focus()}
      />
      <div ref={list}>
        <ColumnList
          columns={columns}
          targets={targets}
          onChange={(index, target) => setChanged({ ...changed, [index]: target })}
        />
      </div>
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
          onClick={() => check.mutate({ sheet, headerRow, targets }, { onSuccess: finish })}
        >
          Check file
        </Button>
        <DiscardButton id={job.id} />
      </div>
    </Card>
  );
}

const storedTargets = z.record(z.string(), importTarget);

/** What was chosen and not checked yet, by the index of the column. It survives a reload. */
function useChangedTargets(id: string) {
  const [text, setText] = useTextDraft(useViewer().id, `import.${id}`);
  const changed: Record<number, ImportTarget> = text ? (storedTargets.safeParse(JSON.parse(text)).data ?? {}) : {};
  const setChanged = (next: Record<number, ImportTarget>) =>
    setText(Object.keys(next).length ? JSON.stringify(next) : '');
  return [changed, setChanged] as const;
}
