import { useState } from 'react';
import type { ImportJob, ImportPreview } from '#contract/import/import-job.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Counts } from './Counts.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { countOutcome, listRefused, NO_DECISIONS, toChoices } from './import-decisions.ts';
import { useStartImport } from './import-jobs.data.ts';
import { LookAlikes } from './LookAlikes.tsx';
import { RefusedList } from './RefusedList.tsx';
import { StepHeading } from './StepHeading.tsx';
import { UnknownUsers } from './UnknownUsers.tsx';

interface Props {
  job: ImportJob;
  preview: ImportPreview;
  onBack: () => void;
}

/** What an import would do, and the decisions that it needs. */
export function CheckedImport({ job, preview, onBack }: Props) {
  const [decisions, setDecisions] = useState(NO_DECISIONS);
  const start = useStartImport(job.id);
  const { newBusinesses, imported, refused } = countOutcome(preview, decisions);
  const refusedRows = listRefused(preview, job.columns, decisions);
  return (
    <Card className="flex max-w-4xl flex-col gap-6">
      <div className="flex flex-col gap-1">
        <StepHeading>What will happen</StepHeading>
        <p className="text-sm text-muted">The whole file was checked. Nothing is imported yet.</p>
      </div>
      <Counts
        counts={[
          ['New businesses', newBusinesses],
          ['New leads', imported],
          ['Already there', preview.alreadyThere],
          ['Repeated in the file', preview.repeated],
          ['Refused', refused],
        ]}
      />
      {preview.unknownUsers.length > 0 && (
        <UnknownUsers
          users={preview.unknownUsers}
          replacements={decisions.replacements}
          onChange={(replacements) => setDecisions({ ...decisions, replacements })}
        />
      )}
      {preview.lookAlikes.length > 0 && (
        <LookAlikes
          preview={preview}
          decisions={decisions}
          onChange={(changed) => setDecisions({ ...decisions, ...changed })}
        />
      )}
      {preview.newTags.length > 0 && <NewTags preview={preview} />}
      {refusedRows.length > 0 && <RefusedList rows={refusedRows} total={refused} />}
      <div className="flex flex-col gap-2">
        {imported === 0 && <p className="text-sm">Nothing in this file can be added.</p>}
        <div className="flex flex-wrap gap-2">
          <Button
            busy={start.isPending}
            disabled={imported === 0}
            onClick={() => start.mutate(toChoices(preview, decisions))}
          >
            Import {imported === 1 ? '1 business' : `${formatCount(imported)} businesses`}
          </Button>
          <Button variant="secondary" onClick={onBack}>
            Back to columns
          </Button>
          <DiscardButton id={job.id} />
        </div>
      </div>
    </Card>
  );
}

function NewTags({ preview: { newTags, newTagCount } }: { preview: ImportPreview }) {
  const more = newTagCount - newTags.length;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">New tags</h3>
      <p className="text-sm [overflow-wrap:anywhere]">
        {newTags.join(', ')}
        {more > 0 && ` and ${formatCount(more)} more`}
      </p>
    </section>
  );
}
