import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { ActivityOutcome } from '#contract/leads/log/outcomes.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useTextDraft } from '#web/kit/storage/drafts.ts';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import { Sheet } from '#web/kit/ui/overlays/Sheet.tsx';
import { CompletedStep } from '#web/leads/follow-ups/CompletedStep.tsx';
import { TimeChooser } from '#web/leads/follow-ups/TimeChooser.tsx';
import { findBatchId } from '#web/leads/undo.data.ts';
import { ASKED_NOT_TO_BE_CALLED, AskedNotToBeCalled } from './AskedNotToBeCalled.tsx';
import { type Logged, type LoggedItem, logDraftKey, useLogContact } from './log.data.ts';
import { type NextChoice, NextStepChoice, useNextOptions } from './NextStepChoice.tsx';
import { OutcomeButtons } from './OutcomeButtons.tsx';
import { listDigits } from './outcome-digits.ts';
import { useProposals } from './proposals.ts';

interface Props {
  leadRef: LeadRef;
  item: LoggedItem;
  onClose: () => void;
  /** With the batch that the contact was recorded in. */
  onLogged?: ((batchId: string | undefined) => void) | undefined;
}

/** Logs a contact: its outcome saves it, with the note and the next step that it proposes or that was chosen before. */
export function LogSheet({ leadRef, item, onClose, onLogged }: Props) {
  const { business, userBusiness: lead } = item;
  const viewer = useViewer();
  const [note, setNote] = useTextDraft(viewer.id, logDraftKey(lead.uuid));
  const [choice, setChoice] = useState<NextChoice>('proposed');
  const [callingBack, setCallingBack] = useState(false);
  const log = useLogContact(leadRef, item, viewer.id);
  const { rules, planNext, describeNext } = useProposals(leadRef);
  const options = useNextOptions();
  const outcomes = useRef<HTMLDivElement>(null);
  const times = useRef<HTMLDivElement>(null);

  const close = (logged: Logged) => {
    onClose();
    onLogged?.(findBatchId(logged));
  };
  const save = (outcome: ActivityOutcome, chosen = choice) => {
    if (log.isPending) return;
    const next = planNext(outcome, chosen);
    if (outcome === 'call_back' && !next) {
      // It needs a time, which then saves it.
      flushSync(() => setCallingBack(true));
      times.current?.querySelector('button')?.focus();
      return;
    }
    const contact = { outcome, note: note.trim(), ...(next && { next }) };
    log.mutate(contact, { onSuccess: close });
  };
  const saveObjection = () => {
    if (log.isPending) return;
    log.mutate({ ...ASKED_NOT_TO_BE_CALLED, note: note.trim() }, { onSuccess: close });
  };
  const pressKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const outcome = listDigits(rules).find(({ key }) => key === event.key)?.outcome;
    const option = options?.find(({ key }) => key === event.key.toLowerCase());
    if (!outcome && !option) return;
    event.preventDefault();
    if (outcome) save(outcome);
    else if (option && callingBack && typeof option.choice === 'object') save('call_back', option.choice);
    else if (option) setChoice(option.choice);
  };

  return (
    <Sheet
      title="Log contact"
      description={business.name}
      initialFocus={() => outcomes.current?.querySelector('button')}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the keys as shortcuts */}
      <div className="flex flex-col gap-4" onKeyDown={pressKey}>
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
          <p className="mt-1 text-xs text-muted pointer-coarse:hidden">Ctrl+Enter saves it as “{rules.spoke.label}”.</p>
        </form>
        <div ref={times} className="flex flex-col gap-2">
          {lead.nextStepAt && <CompletedStep at={lead.nextStepAt} />}
          <p className="text-sm font-medium">{callingBack ? 'When will you call back?' : 'Next step'}</p>
          {callingBack ? (
            <TimeChooser
              label="When to call back"
              busy={log.isPending}
              submitLabel="Save"
              onChoose={(at) => save('call_back', { at })}
              dismissLabel="Cancel"
              onDismiss={() => setCallingBack(false)}
            />
          ) : (
            <NextStepChoice options={options} choice={choice} onChoose={setChoice} />
          )}
        </div>
        <div className="flex flex-col gap-2">
          <p className="text-sm">
            <span className="font-medium">Outcome</span> <span className="text-muted">saves the contact</span>
          </p>
          <OutcomeButtons
            rules={rules}
            describeNext={(outcome) => describeNext(outcome, choice)}
            saving={log.isPending && !log.variables.objection ? log.variables.outcome : undefined}
            group={outcomes}
            onChoose={(outcome) => save(outcome)}
          />
          <AskedNotToBeCalled busy={log.isPending && Boolean(log.variables.objection)} onChoose={saveObjection} />
        </div>
      </div>
    </Sheet>
  );
}

const isTyping = (target: EventTarget) => target instanceof Element && target.closest('input, textarea') !== null;
