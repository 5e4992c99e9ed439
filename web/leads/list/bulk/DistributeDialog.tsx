import { useState } from 'react';
import { formatCount, formatCounted } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useAssignees } from '#web/leads/leads.data.ts';
import { SHARE_OUT_WAYS, type ShareOutDraft, ShareOutFields, SharesPreview } from '#web/leads/sharing/ShareOut.tsx';
import { SharesTable } from '#web/leads/sharing/SharesTable.tsx';
import { type BulkLeads, countBulkLeads, useDistribute, useShares, useTerritoryShares } from './bulk.data.ts';

interface Props {
  leads: BulkLeads;
  onDone: () => void;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

/** Shares leads out among several users, or each to its own territory, and shows beforehand who gets how many. */
export function DistributeDialog({ leads, onDone, onClose, onTriggerRemoved }: Props) {
  const assignees = useAssignees();
  const count = countBulkLeads(leads);
  const [draft, setDraft] = useState<ShareOutDraft>({ way: 'load', userIds: [], fallbackUserId: undefined });
  const { way, userIds } = draft;
  const fallbackUserId = way === 'territory' ? draft.fallbackUserId : undefined;
  const shares = useShares(leads, way === 'territory' ? [] : userIds, way === 'goal' ? 'goal' : 'load');
  const territoryShares = useTerritoryShares(leads, fallbackUserId);
  const distribute = useDistribute();
  const preview = way === 'territory' ? territoryShares : shares;
  const chosen = way === 'territory' ? fallbackUserId !== undefined : userIds.length > 0;
  const ready = chosen && preview.data !== undefined && !preview.isPlaceholderData;
  const moves =
    way === 'territory'
      ? territoryShares.data?.shares.some(({ count }) => count > 0)
      : shares.data?.shares.some(({ share }) => share > 0);
  const assign = () => {
    const action =
      fallbackUserId === undefined
        ? { verb: 'distribute' as const, users: userIds, by: way === 'goal' ? ('goal' as const) : ('load' as const) }
        : { verb: 'to-territories' as const, fallbackUserId };
    distribute.mutate({ leads, action }, { onSuccess: onDone });
  };

  return (
    <Dialog
      open
      title="Assign Evenly"
      description={`Shares ${formatCounted(count, 'selected business', 'selected businesses')} out among several users.`}
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
          <ShareOutFields
            label="What becomes even"
            ways={SHARE_OUT_WAYS}
            users={assignees.data.map(({ id, fullName, username }) => ({
              value: String(id),
              label: fullName || username,
            }))}
            draft={draft}
            onChange={setDraft}
          />
        )}
        {preview.isError && (
          <ErrorState title="The shares could not be worked out" onRetry={() => void preview.refetch()}>
            {preview.error.message}
          </ErrorState>
        )}
        {ready && way === 'territory' && territoryShares.data && (
          <SharesPreview
            shares={territoryShares.data.shares}
            heldText={(held) => `${formatCount(held)} stay with their holders`}
          />
        )}
        {ready && way !== 'territory' && <SharesTable shares={shares.data?.shares} basis={way} />}
        {ready && way !== 'territory' && !moves && <p className="text-sm">All of these stay with their holders.</p>}
        <DialogActions>
          <Button variant="secondary" disabled={distribute.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button busy={distribute.isPending} disabled={!ready || !moves} onClick={assign}>
            Assign
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
