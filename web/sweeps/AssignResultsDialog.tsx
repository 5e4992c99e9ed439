import { type FormEvent, useState } from 'react';
import type { AssignmentChoice } from '#contract/leads/sharing/assignment.ts';
import type { SweepAssignment } from '#contract/sweeps/sweep.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { UserJobProgress } from '#web/kit/ui/JobProgress.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useAssignees } from '#web/leads/leads.data.ts';
import {
  SHARE_OUT_WAYS,
  type ShareOutDraft,
  ShareOutFields,
  toAssignmentChoice,
} from '#web/leads/sharing/ShareOut.tsx';
import { toUserOption } from '#web/users/users.data.ts';
import { Shares, TerritoryShares } from './Shares.tsx';
import { useAssignResults } from './sweeps.data.ts';

interface Props {
  sweepId: string;
  count: number;
  /** Only these results; by default all new ones. */
  businessIds?: number[];
  onDone: () => void;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

const NOTHING_CHOSEN = { way: 'one' as const, userIds: [], fallbackUserId: undefined };

const WAYS: readonly { value: AssignmentChoice['way']; label: string }[] = [
  { value: 'one', label: 'One person' },
  ...SHARE_OUT_WAYS,
];

/** Makes results leads of one user, or shares them out among several. */
export function AssignResultsDialog({ sweepId, count, businessIds, onDone, onClose, onTriggerRemoved }: Props) {
  const assignees = useAssignees();
  const [draft, setDraft] = useState<ShareOutDraft<AssignmentChoice['way']>>(NOTHING_CHOSEN);
  const [incomplete, setIncomplete] = useState(false);
  const { assigning, done, jobId } = useAssignResults(sweepId);
  const choice = toAssignmentChoice(draft);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (assigning.isPending) return;
    if (!choice) return setIncomplete(true);
    assigning.mutate({ assignment: toAssignment(choice), ...(businessIds && { businessIds }) }, { onSuccess: onDone });
  };

  return (
    <Dialog
      open
      title="Assign Results"
      description={`${formatCount(count)} ${count === 1 ? 'business becomes a lead' : 'businesses become leads'}. This can be undone.`}
      onClose={() => (!assigning.isPending || jobId) && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      {assignees.isPending && <Loading label="Loading users…" />}
      {assignees.isError && (
        <ErrorState title="Users could not be loaded" onRetry={() => void assignees.refetch()}>
          {assignees.error.message}
        </ErrorState>
      )}
      {assignees.data && (
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <ShareOutFields
            label="Who gets them"
            ways={WAYS}
            users={assignees.data.map(toUserOption)}
            draft={draft}
            onChange={(next) => {
              setDraft(next);
              setIncomplete(false);
            }}
            error={incomplete ? nameMissing(draft) : undefined}
            disabled={assigning.isPending}
          />
          {choice && 'userIds' in choice && <Shares users={choice.userIds} count={count} basis={choice.way} />}
          {choice?.way === 'territory' && (
            <TerritoryShares sweepId={sweepId} fallbackUserId={choice.fallbackUserId} businessIds={businessIds} />
          )}
          {assigning.isPending && (
            <UserJobProgress label="Businesses assigned" done={done} total={count} jobId={jobId} canCancel />
          )}
          <DialogActions>
            <Button variant="secondary" disabled={assigning.isPending && !jobId} onClick={onClose}>
              {jobId && assigning.isPending ? 'Leave it running' : 'Cancel'}
            </Button>
            <Button type="submit" busy={assigning.isPending}>
              Assign
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

const nameMissing = ({ way }: { way: AssignmentChoice['way'] }) =>
  way === 'one' || way === 'territory' ? 'Please select a user' : 'Please choose at least one user';

/** As the call takes it. */
function toAssignment(choice: AssignmentChoice): SweepAssignment {
  if (choice.way === 'one') return { to: 'user', userId: choice.userId };
  if (choice.way === 'territory') return { to: 'territory', fallbackUserId: choice.fallbackUserId };
  return { to: 'several', userIds: choice.userIds, by: choice.way };
}
