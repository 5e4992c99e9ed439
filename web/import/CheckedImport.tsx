import { useState } from 'react';
import type { ImportJob, ImportPreview } from '#contract/import/import-job.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Counts } from './Counts.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { countOutcome, type Decisions, listRefused, toChoices } from './import-decisions.ts';
import { useRecheckImport, useStartImport } from './import-jobs.data.ts';
import { LookAlikes } from './LookAlikes.tsx';
import { RefusedList } from './RefusedList.tsx';
import { isCheckedDraft, RowsWithoutUser, toDraft } from './RowsWithoutUser.tsx';
import { StepHeading } from './StepHeading.tsx';
import { UnknownUsers } from './UnknownUsers.tsx';

/** Of a preview of an earlier version. */
const NO_ROWS = { rows: 0, choice: null, shares: [] };

interface Props {
  job: ImportJob;
  preview: ImportPreview;
  decisions: Decisions;
  onDecide: (decisions: Decisions) => void;
  onBack: () => void;
}

/** What an import would do, and the decisions that it needs. */
export function CheckedImport({ job, preview, decisions, onDecide, onBack }: Props) {
  const start = useStartImport(job.id);
  const recheck = useRecheckImport(job.id);
  const { withoutUser = NO_ROWS } = preview;
  const [draft, setDraft] = useState(() => toDraft(withoutUser));
  const isChecked = isCheckedDraft(draft, withoutUser);
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
      {withoutUser.rows > 0 && (
        <RowsWithoutUser
          withoutUser={withoutUser}
          draft={draft}
          onChange={setDraft}
          busy={recheck.isPending}
          onCheck={recheck.mutate}
        />
      )}
      {preview.unknownUsers.length > 0 && (
        <UnknownUsers
          users={preview.unknownUsers}
          replacements={decisions.replacements}
          onChange={(replacements) => onDecide({ ...decisions, replacements })}
        />
      )}
      {preview.lookAlikes.length > 0 && (
        <LookAlikes
          preview={preview}
          decisions={decisions}
          onChange={(changed) => onDecide({ ...decisions, ...changed })}
        />
      )}
      {preview.newTags.length > 0 && <NewTags preview={preview} />}
      {refusedRows.length > 0 && <RefusedList rows={refusedRows} total={refused} />}
      <div className="flex flex-col gap-2">
        {imported === 0 && <p className="text-sm">Nothing in this file can be added.</p>}
        {!isChecked && <p className="text-sm">Check the file with the chosen users before you import it.</p>}
        <div className="flex flex-wrap gap-2">
          <Button
            busy={start.isPending}
            disabled={imported === 0 || !isChecked}
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
