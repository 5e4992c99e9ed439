import { useState } from 'react';
import type { ShareBasis } from '#contract/leads/distribution.ts';
import { MAX_SHARED_BY } from '#contract/leads/distribution.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/Dialog.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { SegmentedControl } from '#web/kit/ui/SegmentedControl.tsx';
import { useAssignees } from '#web/leads/leads.data.ts';
import { useDistribute, useShares } from './bulk.data.ts';

interface Props {
  ids: number[];
  onDone: () => void;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

const BASES: { value: ShareBasis; label: string; unit: string }[] = [
  { value: 'load', label: 'By open leads', unit: 'open leads' },
  { value: 'goal', label: 'By goal left', unit: 'contacts to the goal' },
];

/** Shares leads out among several users, and shows beforehand who gets how many. */
export function DistributeDialog({ ids, onDone, onClose, onTriggerRemoved }: Props) {
  const assignees = useAssignees();
  const [chosen, setChosen] = useState<number[]>([]);
  const [by, setBy] = useState<ShareBasis>('load');
  const shares = useShares(chosen, ids.length, by);
  const distribute = useDistribute();
  const toggle = (id: number) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const unit = BASES.find(({ value }) => value === by)?.unit;
  const ready = chosen.length > 0 && shares.data !== undefined && !shares.isPlaceholderData;

  return (
    <Dialog
      open
      title="Assign Evenly"
      description={`Shares ${formatCount(ids.length)} selected business(es) out among several users.`}
      onClose={() => !distribute.isPending && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      <div className="flex flex-col gap-4">
        {assignees.isPending && <Loading label="Loading users…" />}
        {assignees.isError && (
          <ErrorState title="Users could not be loaded" onRetry={() => void assignees.refetch()}>
            {assignees.error.message}
          </ErrorState>
        )}
        {assignees.data && (
          <fieldset>
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
          </fieldset>
        )}
        <SegmentedControl label="What becomes even" options={BASES} value={by} onValueChange={setBy} />
        {shares.isError && <ErrorState title="The shares could not be worked out">{shares.error.message}</ErrorState>}
        {ready && (
          <table className="w-full text-left text-sm">
            <caption className="sr-only">Who gets how many</caption>
            <thead className="text-xs text-muted">
              <tr>
                <th scope="col">User</th>
                <th scope="col" className="text-right">
                  Now
                </th>
                <th scope="col" className="text-right">
                  Gets
                </th>
              </tr>
            </thead>
            <tbody>
              {shares.data.map(({ userId, fullName, current, share }) => (
                <tr key={userId} className="border-t border-line">
                  <th scope="row" className="py-1 font-normal">
                    {fullName}
                  </th>
                  <td className="text-right text-muted">{`${formatCount(current)} ${unit}`}</td>
                  <td className="text-right font-semibold">{formatCount(share)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <DialogActions>
          <Button variant="secondary" disabled={distribute.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            busy={distribute.isPending}
            disabled={!ready}
            onClick={() => distribute.mutate({ ids, shares: shares.data ?? [] }, { onSuccess: onDone })}
          >
            Assign
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
