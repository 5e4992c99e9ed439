import { useId } from 'react';
import { type ImportJob, type ImportPreview, lookAlikeKind } from '#contract/import/import-job.ts';
import { Counts } from '#web/import/Counts.tsx';
import { DiscardButton } from '#web/import/DiscardButton.tsx';
import { useStartImport } from '#web/import/import-jobs.data.ts';
import { ColumnsUnderstood } from '#web/import/mapping/ColumnsUnderstood.tsx';
import { StepHeading } from '#web/import/StepHeading.tsx';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { LookAlikes } from './LookAlikes.tsx';
import { NewChoices } from './NewChoices.tsx';
import { RefusedList } from './RefusedList.tsx';
import { findMissing, RowsWithoutUser, useWithoutUserDraft } from './RowsWithoutUser.tsx';
import { UnknownUsers } from './UnknownUsers.tsx';
import { useChoices } from './use-choices.ts';

interface Props {
  job: ImportJob;
  preview: ImportPreview;
  onBack: () => void;
}

/** What an import would do, and the decisions that it needs. */
export function CheckedImport({ job, preview, onBack }: Props) {
  const start = useStartImport(job.id);
  const { choices, change, isCounted, retry } = useChoices(job);
  const [draft, setDraft] = useWithoutUserDraft(choices.withoutUser, (withoutUser) => change({ withoutUser }));
  const reasonId = useId();
  const { newLeads, undecided } = preview;
  const missing = preview.withoutUser.rows > 0 ? findMissing(draft) : undefined;
  const reason = retry ? 'The file could not be counted with these choices.' : (missing ?? findReason());

  function findReason(): string | undefined {
    if (!isCounted) return 'Counting with your choices…';
    if (undecided > 0) {
      return `Decide about ${formatBusinesses(undecided)} with the phone number of another one first.`;
    }
    return newLeads === 0 ? 'Nothing in this file can be added.' : undefined;
  }

  return (
    <Card className="flex max-w-4xl flex-col gap-6">
      <div className="flex flex-col gap-1">
        <StepHeading>What will happen</StepHeading>
        <p className="text-sm text-muted">The whole file was checked. Nothing is imported yet.</p>
        <ColumnsUnderstood columns={job.columns} onShow={onBack} />
      </div>
      <div className="flex flex-col gap-2">
        <Counts
          counts={[
            ['Rows in the file', preview.rows],
            ['New leads', newLeads],
            ['Already there', preview.alreadyThere],
            ['Repeated in the file', preview.repeated],
            ['Refused', preview.refused],
            ...(undecided > 0 ? [['To decide', undecided] as const] : []),
          ]}
        />
        {newLeads > 0 && <p className="text-sm text-muted">{describeNewBusinesses(preview)}</p>}
      </div>
      {preview.withoutUser.rows > 0 && (
        <RowsWithoutUser withoutUser={preview.withoutUser} draft={draft} onChange={setDraft} isCounted={isCounted} />
      )}
      {preview.unknownUsers.length > 0 && (
        <UnknownUsers
          users={preview.unknownUsers}
          replacements={choices.replacements}
          onChange={(replacements) => change({ replacements })}
        />
      )}
      {lookAlikeKind.options.map((kind) => (
        <LookAlikes key={kind} kind={kind} preview={preview} choices={choices} onChange={change} />
      ))}
      {preview.newChoices.length > 0 && (
        <NewChoices
          fields={preview.newChoices}
          chosen={choices.newChoices}
          onChange={(newChoices) => change({ newChoices })}
        />
      )}
      {preview.newTags.length > 0 && <NewTags preview={preview} />}
      {preview.refusedRows.length > 0 && <RefusedList rows={preview.refusedRows} total={preview.refused} />}
      <div className="flex flex-wrap items-center gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button
            busy={start.isPending}
            disabled={reason !== undefined}
            aria-describedby={reason && reasonId}
            onClick={() => start.mutate(undefined)}
          >
            Import {formatBusinesses(newLeads)}
          </Button>
          {/* Always there, so that a new reason is announced. */}
          <p id={reasonId} role="status" className="text-sm empty:hidden">
            {reason}
          </p>
          {retry && (
            <Button variant="secondary" onClick={retry}>
              Try Again
            </Button>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={onBack}>
            Back to columns
          </Button>
          <DiscardButton id={job.id} />
        </div>
      </div>
    </Card>
  );
}

function describeNewBusinesses({ newLeads, newBusinesses }: ImportPreview): string {
  if (newBusinesses === newLeads) return newLeads === 1 ? 'It is a new business.' : 'All of them are new businesses.';
  const are = newBusinesses === 1 ? 'is a new business' : 'are new businesses';
  return `${formatCount(newBusinesses)} of the new leads ${are}.`;
}

const formatBusinesses = (count: number) => (count === 1 ? '1 business' : `${formatCount(count)} businesses`);

function NewTags({ preview: { newTags, newTagCount } }: { preview: ImportPreview }) {
  const more = newTagCount - newTags.length;
  return (
    <section>
      <h3 className="font-semibold">New tags</h3>
      <p className="text-sm [overflow-wrap:anywhere]">
        {newTags.join(', ')}
        {more > 0 && ` and ${formatCount(more)} more`}
      </p>
    </section>
  );
}
