import { type FormEvent, useState } from 'react';
import { MAX_SHARED_BY, type ShareBasis } from '#contract/leads/sharing/distribution.ts';
import type { SweepAssignment } from '#contract/sweeps/sweep.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { CountedProgress } from '#web/kit/ui/CountedProgress.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useAssignees } from '#web/leads/leads.data.ts';
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

type Way = 'user' | 'territory' | ShareBasis;

const WAYS: { value: Way; label: string }[] = [
  { value: 'user', label: 'One person' },
  { value: 'load', label: 'By open leads' },
  { value: 'goal', label: 'By goal left' },
  { value: 'territory', label: 'Each to its own territory' },
];

/** Makes results leads of one user, or shares them out among several. */
export function AssignResultsDialog({ sweepId, count, businessIds, onDone, onClose, onTriggerRemoved }: Props) {
  const assignees = useAssignees();
  const [way, setWay] = useState<Way>('user');
  const [user, setUser] = useState('');
  const [chosen, setChosen] = useState<number[]>([]);
  const [error, setError] = useState<string>();
  const { assigning, done } = useAssignResults(sweepId);
  const toggle = (id: number) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (assigning.isPending) return;
    const assignment = toAssignment(way, user, chosen);
    if (!assignment) return setError(isOnePerson(way) ? 'Please select a user' : 'Please choose at least one user');
    assigning.mutate({ assignment, ...(businessIds && { businessIds }) }, { onSuccess: onDone });
  };

  return (
    <Dialog
      open
      title="Assign Results"
      description={`${formatCount(count)} ${count === 1 ? 'business becomes a lead' : 'businesses become leads'}. This can be undone.`}
      onClose={() => !assigning.isPending && onClose()}
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
          <SegmentedControl
            label="Who gets them"
            options={WAYS}
            value={way}
            onValueChange={(next) => {
              setWay(next);
              setError(undefined);
            }}
          />
          {isOnePerson(way) ? (
            <SelectField
              label={way === 'user' ? 'User' : 'Outside all territories'}
              placeholder="Select a user"
              options={assignees.data.map(toUserOption)}
              value={user}
              error={error}
              disabled={assigning.isPending}
              onChange={({ target }) => {
                setUser(target.value);
                setError(undefined);
              }}
            />
          ) : (
            <>
              <fieldset disabled={assigning.isPending}>
                <legend className="text-sm font-medium">Users</legend>
                <div className="grid max-h-52 overflow-y-auto pt-1 sm:grid-cols-2">
                  {assignees.data.map(({ id, fullName, username }) => (
                    <Checkbox
                      key={id}
                      label={fullName || username}
                      checked={chosen.includes(id)}
                      disabled={!chosen.includes(id) && chosen.length >= MAX_SHARED_BY}
                      onChange={() => toggle(id)}
                    />
                  ))}
                </div>
                {error && chosen.length === 0 && <p className="text-sm text-danger-text">{error}</p>}
              </fieldset>
              <Shares users={chosen} count={count} by={way} />
            </>
          )}
          {way === 'territory' && user && (
            <TerritoryShares sweepId={sweepId} fallbackUserId={Number(user)} businessIds={businessIds} />
          )}
          {assigning.isPending && (
            <div aria-live="polite">
              <CountedProgress label="Businesses assigned" done={done} total={count} />
            </div>
          )}
          <DialogActions>
            <Button variant="secondary" disabled={assigning.isPending} onClick={onClose}>
              Cancel
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

/** The ways that ask for one person: who gets all of them, or those outside all territories. */
const isOnePerson = (way: Way) => way === 'user' || way === 'territory';

function toAssignment(way: Way, user: string, chosen: number[]): SweepAssignment | undefined {
  if (way === 'user') return user ? { to: 'user', userId: Number(user) } : undefined;
  if (way === 'territory') return user ? { to: 'territory', fallbackUserId: Number(user) } : undefined;
  return chosen.length ? { to: 'several', userIds: chosen, by: way } : undefined;
}
