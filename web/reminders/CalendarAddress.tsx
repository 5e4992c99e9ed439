import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDate } from '#web/kit/format.ts';
import { toast } from '#web/kit/toasts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { useCreateCalendarFeed, useRevokeCalendarFeed } from './reminders.data.ts';

const QUESTIONS = {
  replace: {
    title: 'Replace the calendar address?',
    description: 'Calendars that use the current address stop getting your follow-ups until you give them the new one.',
    confirmLabel: 'Replace',
  },
  revoke: {
    title: 'Revoke the calendar address?',
    description: 'Calendars that use it stop getting your follow-ups.',
    confirmLabel: 'Revoke',
  },
};

/** The private address at which calendars read the viewer's follow-ups. It is shown once, when it is created. */
export function CalendarAddress({ createdAt }: { createdAt: string | null }) {
  const timeZone = useTimeZone();
  const create = useCreateCalendarFeed();
  const revoke = useRevokeCalendarFeed();
  const [question, setQuestion] = useState<keyof typeof QUESTIONS>();
  const section = useRef<HTMLDivElement>(null);
  const close = () => setQuestion(undefined);
  const confirm = () => {
    if (question === 'replace') create.mutate(undefined, { onSettled: close });
    if (question === 'revoke') revoke.mutate(undefined, { onSuccess: () => create.reset(), onSettled: close });
  };

  return (
    <>
      <div ref={section} tabIndex={-1} className="flex flex-col gap-4">
        <h3 className="-mb-2 font-medium">Calendar</h3>
        <p className="text-sm text-muted">
          A private address that shows your follow-ups in the calendar of your phone, Outlook or Google. Add it there as
          a calendar from the internet. It cannot change anything in Highstreet.
        </p>
        {createdAt && create.data && <NewAddress url={create.data.url} />}
        {createdAt && !create.data && (
          <p className="text-sm">
            You have had an address since{' '}
            <TeamTime at={createdAt} timeZone={timeZone} format={formatDate} className="min-w-20" />. It was shown when
            it was created; replace it if you need it again.
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {createdAt ? (
            <>
              <Button variant="secondary" onClick={() => setQuestion('replace')}>
                Replace
              </Button>
              <Button variant="danger-secondary" onClick={() => setQuestion('revoke')}>
                Revoke
              </Button>
            </>
          ) : (
            <Button variant="secondary" busy={create.isPending} onClick={() => create.mutate()}>
              Create calendar address
            </Button>
          )}
        </div>
      </div>
      {question && (
        <AlertDialog
          open
          {...QUESTIONS[question]}
          tone={question === 'revoke' ? 'danger' : 'primary'}
          busy={create.isPending || revoke.isPending}
          onConfirm={confirm}
          onClose={close}
          onTriggerRemoved={() => section.current?.focus()}
        />
      )}
    </>
  );
}

function NewAddress({ url }: { url: string }) {
  const field = useRef<HTMLDivElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: 'Calendar address copied' });
    } catch {
      // Without https there is no clipboard: the user copies the selected text.
      field.current?.querySelector('input')?.select();
      toast({ title: 'The address is selected', description: 'Copy it with Ctrl C or ⌘ C.' });
    }
  };
  return (
    <div ref={field} className="flex flex-wrap items-end gap-2">
      <TextField
        className="min-w-0 grow basis-64"
        label="Calendar address"
        readOnly
        value={url}
        onFocus={({ target }) => target.select()}
      />
      <Button variant="secondary" onClick={() => void copy()}>
        <Copy aria-hidden="true" />
        Copy
      </Button>
      <p className="basis-full text-sm text-muted">
        Copy it now: it is not shown again. Keep it to yourself, because it shows your follow-ups without a password.
      </p>
    </div>
  );
}
