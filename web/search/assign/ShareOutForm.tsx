import { useState } from 'react';
import type { BusinessResult } from '#contract/search/search.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import type { Option } from '#web/kit/ui/forms/Select.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import {
  SHARE_OUT_WAYS,
  type ShareOutDraft,
  ShareOutFields,
  SharesPreview,
  toAssignmentChoice,
} from '#web/leads/sharing/ShareOut.tsx';
import { useAssignBusinesses, useAssignmentPreview } from '#web/territories/assignment.data.ts';

interface Props {
  businesses: BusinessResult[];
  users: Option[];
  onDone: () => void;
  onBack: () => void;
}

/** Assigns businesses to several users, and shows beforehand who gets how many. */
export function ShareOutForm({ businesses, users, onDone, onBack }: Props) {
  const [draft, setDraft] = useState<ShareOutDraft>({ way: 'territory', userIds: [], fallbackUserId: undefined });
  const businessIds = businesses.map(({ id }) => id);
  const choice = toAssignmentChoice(draft);
  const preview = useAssignmentPreview(businessIds, choice);
  const assign = useAssignBusinesses();
  const ready = choice !== undefined && preview.data !== undefined && !preview.isPlaceholderData && !preview.isError;
  const gives = preview.data?.shares.some(({ count }) => count > 0);
  return (
    <div className="flex flex-col gap-4">
      <ShareOutFields label="Who gets them" ways={SHARE_OUT_WAYS} users={users} draft={draft} onChange={setDraft} />
      {choice && preview.isPending && <Loading label="Counting…" />}
      {choice && preview.isError && (
        <ErrorState title="Who gets how many could not be worked out" onRetry={() => void preview.refetch()}>
          {preview.error.message}
        </ErrorState>
      )}
      <div role="status" className="empty:hidden">
        {ready && preview.data && (
          <SharesPreview shares={preview.data.shares} heldText={(held) => `${held} already assigned`} />
        )}
      </div>
      <DialogActions>
        <Button variant="secondary" disabled={assign.isPending} onClick={onBack}>
          Back
        </Button>
        <Button
          busy={assign.isPending}
          disabled={!ready || !gives}
          onClick={() => choice && assign.mutate({ businessIds, choice }, { onSuccess: onDone })}
        >
          {assign.isPending ? 'Assigning...' : 'Assign'}
        </Button>
      </DialogActions>
    </div>
  );
}
