import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { OutboxEntry } from '#contract/outbox/entry.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { changeEntry, discardEntry } from '#web/kit/outbox/outbox.ts';
import { Badge, type Tone } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { EditText } from './EditText.tsx';
import { EntryConflict } from './EntryConflict.tsx';
import { readText, writeText } from './entry-text.ts';

const STATE: Record<OutboxEntry['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'warn' },
  conflict: { label: 'Changed meanwhile', tone: 'danger' },
  refused: { label: 'Not accepted', tone: 'danger' },
};

interface Props {
  entry: OutboxEntry;
  /** Closes the sheet. */
  onClose: () => void;
  /** The entry is gone, or its buttons have changed. */
  onDone: () => void;
}

export function EntryItem({ entry, onClose, onDone }: Props) {
  const { id, title, lead, madeAt, state, problem } = entry;
  const timeZone = useTimeZone();
  const titleId = useId();
  const [editing, setEditing] = useState(false);
  const text = readText(entry);
  const act = (work: Promise<unknown>) => void work.finally(onDone);
  const save = (next: string) => {
    setEditing(false);
    act(changeEntry(id, (latest) => writeText(latest, next)));
  };
  const { label, tone } = STATE[state];
  return (
    <li aria-labelledby={titleId} className="flex flex-col gap-2 py-3 [overflow-wrap:anywhere]">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p id={titleId} className="font-semibold">
            {title}
          </p>
          {lead && (
            <Link
              href={`/business/uuid/${lead.uuid}`}
              className={`${linkClass} ${targetClass} text-sm`}
              onClick={onClose}
            >
              {lead.name}
            </Link>
          )}
          {timeZone && (
            <p className="text-sm text-muted">
              <time dateTime={madeAt}>{formatDateTime(madeAt, timeZone)}</time>
            </p>
          )}
        </div>
        <span className="shrink-0">
          <Badge tone={tone}>{label}</Badge>
        </span>
      </div>
      {text?.value && text.lines && !editing && state !== 'conflict' && (
        <p className="line-clamp-3 text-sm whitespace-pre-wrap">{text.value}</p>
      )}
      {state === 'refused' && <p className="text-sm text-danger-text">{problem}</p>}
      {state === 'conflict' && timeZone && (
        <EntryConflict entry={entry} formatMoment={(moment) => formatDateTime(moment, timeZone)} onDone={onDone} />
      )}
      {editing && text && <EditText {...text} onSave={save} onCancel={() => setEditing(false)} />}
      {!editing && state !== 'conflict' && (
        <div className="flex flex-wrap gap-2">
          {state === 'refused' && (
            <Button size="sm" aria-describedby={titleId} onClick={() => act(changeEntry(id, sendAgain))}>
              Send again
            </Button>
          )}
          {text && (
            <Button variant="secondary" size="sm" aria-describedby={titleId} onClick={() => setEditing(true)}>
              Edit
            </Button>
          )}
          <Button variant="ghost" size="sm" aria-describedby={titleId} onClick={() => act(discardEntry(id))}>
            Discard
          </Button>
        </div>
      )}
    </li>
  );
}

/** What is too old for the server is sent as of now: its user has seen why it was refused. */
function sendAgain(entry: OutboxEntry): OutboxEntry {
  const isAboutTime = entry.problem?.startsWith('The moment when it was made') ?? false;
  return isAboutTime ? { ...entry, madeAt: new Date().toISOString() } : entry;
}
