import { useRef, useState } from 'react';
import type { SessionItem } from '#contract/account/account.calls.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { useEndOtherSessions, useEndSession, useSessions } from './account.data.ts';

/** Where the viewer is signed in. */
export function SessionsCard() {
  const sessions = useSessions();
  return (
    <Card>
      <CardTitle>Sessions</CardTitle>
      {sessions.isPending && <Loading label="Loading your sessions…" />}
      {sessions.isError && !sessions.data && (
        <LoadError onRetry={() => void sessions.refetch()}>Your sessions could not be loaded.</LoadError>
      )}
      {sessions.data && <Sessions items={sessions.data} />}
    </Card>
  );
}

function Sessions({ items }: { items: SessionItem[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [asking, setAsking] = useState(false);
  const endOthers = useEndOtherSessions();
  const close = () => setAsking(false);
  const focusList = () => list.current?.focus();
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-sm text-muted">
        Browsers in which you are signed in. If you do not know one, end it and change your password.
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Sessions"
        className="flex w-full flex-col divide-y divide-line rounded-lg border border-line"
      >
        {items.map((session) => (
          <Session key={session.id} session={session} onEnded={focusList} />
        ))}
      </ul>
      {items.length > 1 && (
        <Button variant="secondary" onClick={() => setAsking(true)}>
          End all other sessions
        </Button>
      )}
      <AlertDialog
        open={asking}
        onClose={close}
        title="End all other sessions?"
        description="You stay signed in here. What is typed elsewhere and not saved stays as a draft in that browser. The tokens of your programs end, too."
        confirmLabel="End them"
        tone="primary"
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate(undefined, { onSettled: close })}
        onTriggerRemoved={focusList}
      />
    </div>
  );
}

function Session({ session, onEnded }: { session: SessionItem; onEnded: () => void }) {
  const { id, browser, system, ip, signedInAt, lastUsedAt, current } = session;
  const timeZone = useTimeZone();
  const end = useEndSession();
  const name = `${browser ?? 'Unknown browser'}${system ? ` on ${system}` : ''}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3 text-sm">
      <div className="min-w-0 grow basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name} {current && <Badge>This one</Badge>}
        </p>
        <p className="text-muted">
          Signed in <TeamTime at={signedInAt} timeZone={timeZone} format={formatDateTime} className="min-w-32" />
          {ip && ` from ${ip}`}
        </p>
        <p className="text-muted">
          Last used <TeamTime at={lastUsedAt} timeZone={timeZone} format={formatDateTime} className="min-w-32" />
        </p>
      </div>
      {!current && (
        <Button
          variant="secondary"
          size="sm"
          busy={end.isPending}
          onClick={() => end.mutate(id, { onSuccess: onEnded })}
        >
          End session<span className="sr-only">: {name}</span>
        </Button>
      )}
    </li>
  );
}
