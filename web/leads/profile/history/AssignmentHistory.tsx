import type { UseQueryResult } from '@tanstack/react-query';
import type { Assignment } from '#contract/leads/lead.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';

interface Props {
  history: UseQueryResult<Assignment[]>;
  timeZone: string;
}

export function AssignmentHistory({ history, timeZone }: Props) {
  if (history.isPending) {
    return (
      <div role="status">
        <span className="sr-only">Loading history…</span>
        <Skeleton lines={4} />
      </div>
    );
  }
  if (!history.data) {
    return (
      <ErrorState title="The history could not be loaded" onRetry={() => void history.refetch()}>
        {history.error.message}
      </ErrorState>
    );
  }
  if (history.data.length === 0) return <p className="text-sm text-muted">No assignment history available</p>;
  return (
    <ol aria-label="Assignment history" className="flex flex-col">
      {history.data.map((assignment) => (
        <Row key={assignment.history.id} assignment={assignment} timeZone={timeZone} />
      ))}
    </ol>
  );
}

function Row({ assignment, timeZone }: { assignment: Assignment; timeZone: string }) {
  const { history, previousUser, newUser, changedBy } = assignment;
  return (
    <li className="relative border-l-2 border-line pb-6 pl-5 [overflow-wrap:anywhere] last:pb-0">
      {/* 6 px from the top: centred on the first line; 7 px to the left: centred on the border. */}
      <span aria-hidden="true" className="absolute top-1.5 -left-[7px] size-3 rounded-full bg-pine" />
      <p className="font-medium">
        {previousUser
          ? `Reassigned from ${previousUser.username} to ${newUser.username}`
          : `Initially assigned to ${newUser.username}`}
      </p>
      <p className="text-sm text-muted">
        <time dateTime={history.createdAt}>{formatDateTime(history.createdAt, timeZone)}</time> by {changedBy.username}
      </p>
      {history.notes && <p className="mt-2 text-sm whitespace-pre-wrap">{history.notes}</p>}
    </li>
  );
}
