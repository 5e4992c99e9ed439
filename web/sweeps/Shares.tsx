import type { ShareBasis } from '#contract/leads/sharing/distribution.ts';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { SharesPreview } from '#web/leads/sharing/ShareOut.tsx';
import { SharesTable } from '#web/leads/sharing/SharesTable.tsx';
import { useShares, useTerritoryShares } from './sweeps.data.ts';

/** Who would get how many. */
export function Shares({ users, count, basis }: { users: number[]; count: number; basis: ShareBasis }) {
  const shares = useShares(users, count, basis);
  if (users.length === 0) return null;
  if (shares.isError) {
    return (
      <ErrorState title="The shares could not be worked out" onRetry={() => void shares.refetch()}>
        {shares.error.message}
      </ErrorState>
    );
  }
  return <SharesTable shares={shares.data} basis={basis} />;
}

interface TerritorySharesProps {
  sweepId: string;
  fallbackUserId: number;
  businessIds: number[] | undefined;
}

/** Who would get how many, by the districts of the results. */
export function TerritoryShares({ sweepId, fallbackUserId, businessIds }: TerritorySharesProps) {
  const preview = useTerritoryShares(sweepId, fallbackUserId, businessIds);
  if (preview.isError) {
    return (
      <ErrorState title="The shares could not be worked out" onRetry={() => void preview.refetch()}>
        {preview.error.message}
      </ErrorState>
    );
  }
  return preview.data && <SharesPreview shares={preview.data.shares} heldText={(held) => `${held} already assigned`} />;
}
