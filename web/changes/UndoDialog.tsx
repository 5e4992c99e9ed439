import { useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { type ChangeBatch, CREDIT_UNDO_HOURS, formatCreditsKept, formatLeft } from '#contract/changes/change.ts';
import type { getChangeBatch } from '#contract/changes/changes.calls.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCount, formatDateTime } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { UserJobProgress } from '#web/kit/ui/JobProgress.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useUndoChanges, useUndoProgress } from '#web/leads/undo.data.ts';
import { useChangeBatch } from './changes.data.ts';
import { describeBatch, describeChange, formatLeads } from './describe-changes.ts';

interface Props {
  batch: ChangeBatch;
  onClose: () => void;
  /** As in `Dialog`. */
  onTriggerRemoved: () => void;
}

/** Shows what undoing a batch would do before it is done. */
export function UndoDialog({ batch, onClose, onTriggerRemoved }: Props) {
  const timeZone = useTimeZone();
  const preview = useChangeBatch(batch.id);
  const undo = useUndoChanges();
  const job = useUndoProgress(batch.id);
  // Set at once: a double click would come before the mutation's own isPending.
  const [busy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    undo.mutate(batch.id, { onSuccess: onClose, onError: () => setBusy(false) });
  };
  const author = batch.user && (batch.user.fullName || batch.user.username);

  return (
    <Dialog
      open
      title="Undo this change?"
      description={[
        describeBatch(batch, timeZone),
        author && `by ${author}`,
        timeZone && formatDateTime(batch.at, timeZone),
      ]
        .filter(Boolean)
        .join(' · ')}
      onClose={onClose}
      onTriggerRemoved={onTriggerRemoved}
    >
      {preview.isPending && <Loading label="Checking what can be taken back…" />}
      {preview.isError && (
        <ErrorState title="The change could not be loaded" onRetry={() => void preview.refetch()}>
          {preview.error.message}
        </ErrorState>
      )}
      {preview.data && (
        <div className="flex flex-col gap-4 text-sm">
          <Outcome {...preview.data} />
          <ChangeList {...preview.data} />
        </div>
      )}
      {job && (
        <div className="pt-4">
          <UserJobProgress label="Taken back" done={job.done} total={job.total} jobId={job.id} />
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" disabled={busy && !job} onClick={onClose}>
          {job ? 'Leave it running' : 'Cancel'}
        </Button>
        <Button
          variant={preview.data?.undo.deleted ? 'danger' : 'primary'}
          busy={busy}
          disabled={!preview.data?.batch.canUndo || preview.data.undo.takenBack === 0}
          onClick={confirm}
        >
          {busy ? 'Undoing...' : 'Undo'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type Preview = ResponseBody<typeof getChangeBatch>;

function Outcome({ batch, undo: { takenBack, deleted, left, creditsKept } }: Preview) {
  const creator = batch.kind === 'import' ? 'this import' : 'this action';
  return (
    <>
      <p className="font-medium">{formatTakenBack(batch, takenBack)}</p>
      {deleted > 0 && (
        <Notice tone="danger">
          {`${formatLeads(deleted)} that ${creator} created will be deleted. Undo cannot restore ${deleted === 1 ? 'it' : 'them'}.`}
        </Notice>
      )}
      {left.length > 0 && (
        <div className="flex flex-col gap-1">
          <p>What cannot be taken back stays as it is:</p>
          <ul className="list-disc pl-5 [overflow-wrap:anywhere]">
            {left.map((reason) => (
              <li key={reason.reason}>{formatLeft(reason)}</li>
            ))}
          </ul>
        </div>
      )}
      {creditsKept > 0 && (
        <p>
          {formatCreditsKept(creditsKept)}: a credit is taken back only within {CREDIT_UNDO_HOURS} hours, by the person
          who made the contact.
        </p>
      )}
    </>
  );
}

function formatTakenBack({ count, undoneAt, undoing }: ChangeBatch, takenBack: number): string {
  if (undoing) return 'This change is being undone.';
  if (undoneAt) return 'This change was undone already.';
  if (takenBack === 0) return 'Nothing can be taken back.';
  if (count === 1) return 'This change will be taken back.';
  const leads = formatLeads(count);
  return `The changes of ${takenBack < count ? `${formatCount(takenBack)} of ${leads}` : `all ${leads}`} will be taken back.`;
}

function ChangeList({ batch, changes }: Preview) {
  const timeZone = useTimeZone();
  if (changes.length === 0) return null;
  return (
    <section
      aria-label="Changes"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
      tabIndex={0}
      className="max-h-60 overflow-y-auto rounded-md border border-line"
    >
      <ul className="divide-y divide-line">
        {changes.map(({ name, change }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a lead can have several changes of one field, which never move
          <li key={index} className="px-3 py-2 [overflow-wrap:anywhere]">
            <span className="font-medium">{name}</span>{' '}
            <span className="text-muted max-sm:block">{describeChange(change, timeZone)}</span>
          </li>
        ))}
        {batch.count > new Set(changes.map(({ name, uuid }) => uuid ?? name)).size && (
          <li className="px-3 py-2 text-muted">{`and more, of ${formatLeads(batch.count)} in all`}</li>
        )}
      </ul>
    </section>
  );
}
