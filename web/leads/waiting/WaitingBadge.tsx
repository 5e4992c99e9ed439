import { Badge } from '#web/kit/ui/Badge.tsx';
import { useIsWaiting } from './waiting.data.ts';

/** On a lead with changes that are not on the server yet. */
export const WaitingBadge = ({ uuid }: { uuid: string }) =>
  useIsWaiting(uuid) && <Badge tone="warn">Waiting to be sent</Badge>;
