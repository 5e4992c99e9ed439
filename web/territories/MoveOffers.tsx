import { formatDistrictList } from '#contract/territories/district-list.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { UserJobProgress } from '#web/kit/ui/JobProgress.tsx';
import { useMoveLeads, useOpenLeadCount } from './territories.data.ts';
import type { Move } from './territory-draft.ts';

interface Props {
  move: Move;
  nameOf: (userId: number) => string;
  known: string[];
  onDone: () => void;
}

/** Offers to move the open leads of districts that went to another person. Shows nothing where there are none. */
export function MoveOffer({ move, nameOf, known, onDone }: Props) {
  const open = useOpenLeadCount(move);
  const [from, to] = [nameOf(move.fromUserId), nameOf(move.toUserId)];
  const { moving, done, jobId } = useMoveLeads(to);
  const places = formatDistrictList(move.districts, known);
  if (open.isError) {
    return (
      <Card className="flex flex-col gap-3" role="alert">
        <p className="text-sm text-danger-text">{`The open leads of ${from} in ${places} could not be counted: ${open.error.message}`}</p>
        <Button variant="secondary" className="self-start" onClick={() => void open.refetch()}>
          Try Again
        </Button>
      </Card>
    );
  }
  const count = open.data?.count ?? 0;
  if (count === 0) return null;
  const leads = count === 1 ? '1 open lead' : `${formatCount(count)} open leads`;
  return (
    <Card className="flex flex-col gap-3">
      <p className="text-sm font-medium [overflow-wrap:anywhere]">{`Move ${leads} of ${from} in ${places} to ${to}?`}</p>
      {moving.isPending && <UserJobProgress label="Leads moved" done={done} total={count} jobId={jobId} canCancel />}
      <div className="flex flex-wrap gap-2">
        <Button busy={moving.isPending} onClick={() => moving.mutate(move, { onSuccess: onDone })}>
          {`Move ${leads}`}
        </Button>
        <Button variant="secondary" disabled={moving.isPending} onClick={onDone}>
          {`Leave ${count === 1 ? 'it' : 'them'} with ${from}`}
        </Button>
      </div>
    </Card>
  );
}
