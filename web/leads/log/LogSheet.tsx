import {
  CalendarClock,
  type LucideIcon,
  MessageSquareText,
  PhoneCall,
  PhoneMissed,
  PhoneOff,
  ThumbsDown,
} from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type ActivityOutcome, activityOutcome, OUTCOME_LABEL } from '#contract/leads/follow-ups/follow-up.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { useTextDraft } from '#web/kit/storage/drafts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import { Sheet } from '#web/kit/ui/overlays/Sheet.tsx';
import { CompletedStep } from '#web/leads/follow-ups/CompletedStep.tsx';
import { formatDue } from '#web/leads/follow-ups/format-due.ts';
import { TimeChooser } from '#web/leads/follow-ups/TimeChooser.tsx';
import { type LoggedItem, logDraftKey, useLogContact } from './log.data.ts';

const ICON: Record<ActivityOutcome, LucideIcon> = {
  no_answer: PhoneMissed,
  left_message: MessageSquareText,
  spoke: PhoneCall,
  call_back: CalendarClock,
  not_interested: ThumbsDown,
  wrong_number: PhoneOff,
};

interface Props {
  leadRef: LeadRef;
  item: LoggedItem;
  onClose: () => void;
}

/** Logs a contact: its outcome saves it, with the note and the next step that were chosen before. */
export function LogSheet({ leadRef, item, onClose }: Props) {
  const { business, userBusiness: lead } = item;
  const viewer = useViewer();
  const [note, setNote] = useTextDraft(viewer.id, logDraftKey(lead.uuid));
  const [nextAt, setNextAt] = useState<string>();
  const [callingBack, setCallingBack] = useState(false);
  const log = useLogContact(leadRef, item, viewer.id);
  const outcomes = useRef<HTMLDivElement>(null);
  const times = useRef<HTMLDivElement>(null);

  const save = (outcome: ActivityOutcome, at = nextAt) => {
    if (log.isPending) return;
    if (outcome === 'call_back' && !at) {
      // It needs a time, which then saves it.
      flushSync(() => setCallingBack(true));
      times.current?.querySelector('button')?.focus();
      return;
    }
    const next = at && outcome !== 'not_interested' ? { next: { at } } : {};
    log.mutate({ outcome, note: note.trim(), ...next }, { onSuccess: onClose });
  };
  const chooseTime = (at: string) => (callingBack ? save('call_back', at) : setNextAt(at));
  const saveByKey = (event: KeyboardEvent) => {
    const outcome = activityOutcome.options[Number(event.key) - 1];
    if (!outcome || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    save(outcome);
  };

  return (
    <Sheet
      title="Log contact"
      description={business.name}
      initialFocus={() => outcomes.current?.querySelector('button')}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the keys as shortcuts */}
      <div className="flex flex-col gap-4" onKeyDown={saveByKey}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save(callingBack ? 'call_back' : 'spoke');
          }}
        >
          <TextareaField
            label="Note"
            rows={2}
            placeholder="What happened?"
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
          <p className="mt-1 text-xs text-muted pointer-coarse:hidden">Ctrl+Enter saves it as “Spoke”.</p>
        </form>
        <div ref={times} className="flex flex-col gap-2">
          {lead.nextStepAt && <CompletedStep at={lead.nextStepAt} />}
          <p className="text-sm font-medium">{callingBack ? 'When will you call back?' : 'Next step (optional)'}</p>
          {nextAt ? (
            <ChosenTime at={nextAt} onRemove={() => setNextAt(undefined)} />
          ) : (
            <TimeChooser
              label={callingBack ? 'When to call back' : 'When to follow up'}
              busy={log.isPending}
              submitLabel={callingBack ? 'Save' : 'Choose'}
              onChoose={chooseTime}
              {...(callingBack && { dismissLabel: 'Cancel', onDismiss: () => setCallingBack(false) })}
            />
          )}
        </div>
        <div className="flex flex-col gap-2">
          <p className="text-sm">
            <span className="font-medium">Outcome</span> <span className="text-muted">saves the contact</span>
          </p>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form, these act at once */}
          <div ref={outcomes} role="group" aria-label="Outcome" className="grid grid-cols-2 gap-2 sm:grid-cols-3">
            {activityOutcome.options.map((outcome, index) => (
              <OutcomeButton
                key={outcome}
                outcome={outcome}
                number={index + 1}
                busy={log.isPending && log.variables.outcome === outcome}
                onChoose={() => save(outcome)}
              />
            ))}
          </div>
        </div>
      </div>
    </Sheet>
  );
}

const isTyping = (target: EventTarget) => target instanceof Element && target.closest('input, textarea') !== null;

function ChosenTime({ at, onRemove }: { at: string; onRemove: () => void }) {
  const timeZone = useTimeZone();
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm">
      <span>
        Call <time dateTime={at}>{timeZone && formatDue(at, new Date(), timeZone)}</time>
      </span>
      <Button variant="link" size="sm" onClick={onRemove}>
        Remove
      </Button>
    </p>
  );
}

interface OutcomeProps {
  outcome: ActivityOutcome;
  /** Its key. */
  number: number;
  busy: boolean;
  onChoose: () => void;
}

function OutcomeButton({ outcome, number, busy, onChoose }: OutcomeProps) {
  const Icon = ICON[outcome];
  return (
    <Button
      variant="secondary"
      className="min-h-12 max-sm:px-2"
      aria-keyshortcuts={String(number)}
      busy={busy}
      onClick={onChoose}
    >
      {!busy && <Icon aria-hidden="true" />}
      {OUTCOME_LABEL[outcome]}
      {outcome === 'call_back' && '…'}
      <span aria-hidden="true" className="text-xs text-muted pointer-coarse:hidden">
        {number}
      </span>
    </Button>
  );
}
