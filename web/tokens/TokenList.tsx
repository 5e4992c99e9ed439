import { useRef, useState } from 'react';
import { describeLeads, type Token } from '#contract/tokens/token.ts';
import { PROGRAM_RIGHTS_LABEL } from '#contract/users/program.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDate, formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';

/** A token, and the name of its user where the list is of all users. */
export interface ListedToken {
  token: Token;
  userName?: string;
}

interface Props {
  label: string;
  items: ListedToken[];
  end: {
    isPending: boolean;
    mutate: (tokenId: string, options: { onSettled: () => void }) => void;
  };
}

export function TokenList({ label, items, end }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [asking, setAsking] = useState(false);
  // Stays while the question fades out.
  const [ending, setEnding] = useState<Token>();
  const close = () => setAsking(false);
  const ask = (token: Token) => {
    setEnding(token);
    setAsking(true);
  };
  // The list goes with its last token.
  const focusList = () => (list.current ?? frame.current)?.focus();
  return (
    <div ref={frame} tabIndex={-1} className="w-full">
      {items.length > 0 ? (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={label}
          className="flex flex-col divide-y divide-line rounded-lg border border-line"
        >
          {items.map((item) => (
            <TokenItem key={item.token.id} {...item} onEnd={() => ask(item.token)} />
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">There are no tokens yet.</p>
      )}
      <AlertDialog
        open={asking}
        onClose={close}
        title={`End the token of “${ending?.name}”?`}
        description="The program can make no more requests with it. What it has done stays, with its name."
        confirmLabel="End token"
        busy={end.isPending}
        onConfirm={() => ending && end.mutate(ending.id, { onSettled: close })}
        onTriggerRemoved={focusList}
      />
    </div>
  );
}

function TokenItem({ token, userName, onEnd }: ListedToken & { onEnd: () => void }) {
  const { name, lastFour, rights, createdAt, expiresAt, lastUsedAt, view } = token;
  const timeZone = useTimeZone();
  const expired = Date.parse(expiresAt) <= Date.now();
  const date = (at: string) => <TeamTime at={at} timeZone={timeZone} format={formatDate} className="min-w-20" />;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3 text-sm">
      <div className="min-w-0 grow basis-64 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name} <Badge>{PROGRAM_RIGHTS_LABEL[rights]}</Badge>
          {expired && <Badge tone="warn">Expired</Badge>}
          {view?.name === null && <Badge tone="warn">Refused: its view was deleted</Badge>}
        </p>
        <p className="text-muted">
          {userName && `Of ${userName}. `}
          {describeLeads(token)}. Ends in <code className="font-mono">{lastFour}</code>
        </p>
        <p className="text-muted">
          Made {date(createdAt)}; {expired ? 'expired' : 'expires'} {date(expiresAt)};{' '}
          {lastUsedAt ? (
            <>
              last used <TeamTime at={lastUsedAt} timeZone={timeZone} format={formatDateTime} className="min-w-32" />
            </>
          ) : (
            'not used yet'
          )}
        </p>
      </div>
      <Button variant="danger-secondary" size="sm" onClick={onEnd}>
        End<span className="sr-only">: {name}</span>
      </Button>
    </li>
  );
}
