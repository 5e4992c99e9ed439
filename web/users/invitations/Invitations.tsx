import { useRef } from 'react';
import type { Invitation } from '#contract/account/invitations.calls.ts';
import { ROLE_LABEL } from '#contract/users/user.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDate } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { useInvitations, useSendInvitation, useWithdrawInvitation } from './invitations.data.ts';

/** The persons who were invited and have no account yet; nothing where there are none. */
export function Invitations() {
  const invitations = useInvitations();
  const heading = useRef<HTMLHeadingElement>(null);
  if (invitations.isError && !invitations.data) {
    return <LoadError onRetry={() => void invitations.refetch()}>The open invitations could not be loaded.</LoadError>;
  }
  if (!invitations.data?.length) return null;
  return (
    <section aria-label="Open invitations" className="flex flex-col gap-2">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold">
        Open invitations
      </h2>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
        {invitations.data.map((invitation) => (
          <OpenInvitation
            key={invitation.id}
            invitation={invitation}
            onWithdrawn={() => (heading.current ?? document.querySelector('h1'))?.focus()}
          />
        ))}
      </ul>
    </section>
  );
}

function OpenInvitation({ invitation, onWithdrawn }: { invitation: Invitation; onWithdrawn: () => void }) {
  const { id, email, fullName, role, invitedBy, sentAt, expiresAt } = invitation;
  const timeZone = useTimeZone();
  const send = useSendInvitation();
  const withdraw = useWithdrawInvitation();
  const expired = new Date(expiresAt) <= new Date();
  const date = (at: string) => <TeamTime at={at} timeZone={timeZone} format={formatDate} className="min-w-20" />;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3 text-sm">
      <div className="min-w-0 grow basis-64 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {fullName} <Badge>{ROLE_LABEL[role]}</Badge> {expired && <Badge tone="warn">Expired</Badge>}
        </p>
        <p>{email}</p>
        <p className="text-muted">
          Sent {date(sentAt)}
          {invitedBy && ` by ${invitedBy}`}; {expired ? 'expired' : 'expires'} {date(expiresAt)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" busy={send.isPending} onClick={() => send.mutate(id)}>
          Send again<span className="sr-only">: {fullName}</span>
        </Button>
        <Button
          variant="danger-secondary"
          size="sm"
          busy={withdraw.isPending}
          onClick={() => withdraw.mutate(id, { onSuccess: onWithdrawn })}
        >
          Withdraw<span className="sr-only">: {fullName}</span>
        </Button>
      </div>
    </li>
  );
}
