import { clsx } from 'clsx';
import {
  CalendarClock,
  DoorClosed,
  DoorOpen,
  Handshake,
  type LucideIcon,
  MessageSquareText,
  Phone,
  PhoneCall,
  PhoneMissed,
  PhoneOff,
  Store,
  ThumbsDown,
  ThumbsUp,
} from 'lucide-react';
import { type RefObject, useId } from 'react';
import { type ActivityOutcome, OUTCOME, type OutcomeRules } from '#contract/leads/log/outcomes.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { listDigits, listOffered } from './outcome-digits.ts';

const STANDARD_ICON: Partial<Record<ActivityOutcome, LucideIcon>> = {
  no_answer: PhoneMissed,
  left_message: MessageSquareText,
  spoke: PhoneCall,
  call_back: CalendarClock,
  not_interested: ThumbsDown,
  wrong_number: PhoneOff,
  interested: ThumbsUp,
  owner_away: DoorOpen,
  met_owner: Handshake,
  shut: DoorClosed,
};

interface Props {
  rules: OutcomeRules;
  /** What an outcome plans, as "Tomorrow 10:00". */
  describeNext: (outcome: ActivityOutcome) => string;
  /** The outcome that is being saved. */
  saving: ActivityOutcome | undefined;
  group?: RefObject<HTMLDivElement | null>;
  /** On a whole screen, of which it takes as little as it can. */
  dense?: boolean;
  /** What happens at the business comes before what happens on the phone; each keeps its digit. */
  inPersonFirst?: boolean;
  onChoose: (outcome: ActivityOutcome) => void;
}

/** The outcomes that the team offers. Each saves the contact, and says what it plans. */
export function OutcomeButtons(props: Props) {
  const { rules, describeNext, saving, group, dense = false, inPersonFirst = false, onChoose } = props;
  const offered = listOffered(rules);
  const digits = new Map(listDigits(rules).map(({ key, outcome }) => [outcome, key]));
  const ordered = inPersonFirst ? [...offered].sort((a, b) => Number(isInPerson(b)) - Number(isInPerson(a))) : offered;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form, these act at once
    <div
      ref={group}
      role="group"
      aria-label="Outcome"
      className={clsx(
        'grid gap-2',
        'grid-cols-2',
        dense && 'max-sm:gap-1.5 sm:grid-cols-3',
        dense && (inPersonFirst ? 'lg:grid-cols-4' : 'lg:grid-cols-5'),
      )}
    >
      {ordered.map((outcome) => (
        <OutcomeButton
          key={outcome}
          outcome={outcome}
          label={rules[outcome].label}
          digit={digits.get(outcome)}
          next={describeNext(outcome)}
          busy={saving === outcome}
          onChoose={() => onChoose(outcome)}
        />
      ))}
    </div>
  );
}

const isInPerson = (outcome: ActivityOutcome) => OUTCOME[outcome].type === 'meeting';

interface OutcomeProps {
  outcome: ActivityOutcome;
  label: string;
  /** Undefined where all of them are taken. */
  digit: string | undefined;
  next: string;
  busy: boolean;
  onChoose: () => void;
}

function OutcomeButton({ outcome, label, digit, next, busy, onChoose }: OutcomeProps) {
  const id = useId();
  const Icon = STANDARD_ICON[outcome] ?? (isInPerson(outcome) ? Store : Phone);
  return (
    <Button
      variant="secondary"
      className="min-h-12 min-w-0 justify-start text-left max-sm:min-h-11 max-sm:px-2"
      aria-describedby={id}
      aria-keyshortcuts={digit}
      busy={busy}
      onClick={onChoose}
    >
      {/* On a phone, the words need the room. */}
      {!busy && <Icon aria-hidden="true" className="max-sm:hidden" />}
      <span className="flex min-w-0 flex-1 flex-col leading-tight">
        <span className="truncate">
          {label}
          {outcome === 'call_back' && '…'}
        </span>
        <span id={id} aria-hidden="true" className="truncate text-xs font-normal text-muted">
          {next}
        </span>
      </span>
      {digit && (
        <span aria-hidden="true" className="text-xs font-normal text-muted pointer-coarse:hidden">
          {digit}
        </span>
      )}
    </Button>
  );
}
