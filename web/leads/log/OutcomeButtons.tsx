import { clsx } from 'clsx';
import {
  CalendarClock,
  DoorClosed,
  DoorOpen,
  Handshake,
  type LucideIcon,
  MessageSquareText,
  PhoneCall,
  PhoneMissed,
  PhoneOff,
  ThumbsDown,
  ThumbsUp,
} from 'lucide-react';
import { type RefObject, useId } from 'react';
import { type ActivityOutcome, activityOutcome, OUTCOME, type OutcomeRules } from '#contract/leads/log/outcomes.ts';
import { Button } from '#web/kit/ui/Button.tsx';

const ICON: Record<ActivityOutcome, LucideIcon> = {
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
  const offered = activityOutcome.options.filter((outcome) => rules[outcome].offered);
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
          next={describeNext(outcome)}
          dense={dense}
          busy={saving === outcome}
          onChoose={() => onChoose(outcome)}
        />
      ))}
    </div>
  );
}

const isInPerson = (outcome: ActivityOutcome) => OUTCOME[outcome].type === 'meeting';

/** The outcome of a pressed key: 1 to 9, and 0 for the tenth. An outcome that is not offered keeps its digit. */
export function findOutcome(key: string, rules: OutcomeRules): ActivityOutcome | undefined {
  if (!/^\d$/.test(key)) return undefined;
  const outcome = activityOutcome.options[(Number(key) + 9) % 10];
  return outcome && rules[outcome].offered ? outcome : undefined;
}

const toDigit = (outcome: ActivityOutcome) => String((activityOutcome.options.indexOf(outcome) + 1) % 10);

interface OutcomeProps {
  outcome: ActivityOutcome;
  label: string;
  next: string;
  dense: boolean;
  busy: boolean;
  onChoose: () => void;
}

function OutcomeButton({ outcome, label, next, dense, busy, onChoose }: OutcomeProps) {
  const id = useId();
  const Icon = ICON[outcome];
  return (
    <Button
      variant="secondary"
      className="min-h-12 min-w-0 justify-start text-left max-sm:px-2"
      aria-describedby={id}
      aria-keyshortcuts={toDigit(outcome)}
      busy={busy}
      onClick={onChoose}
    >
      {!busy && <Icon aria-hidden="true" className={clsx(dense && 'max-sm:hidden')} />}
      <span className="flex min-w-0 flex-1 flex-col leading-tight">
        <span className="truncate">
          {label}
          {outcome === 'call_back' && '…'}
        </span>
        <span id={id} aria-hidden="true" className="truncate text-xs font-normal text-muted">
          {next}
        </span>
      </span>
      <span aria-hidden="true" className="text-xs font-normal text-muted pointer-coarse:hidden">
        {toDigit(outcome)}
      </span>
    </Button>
  );
}
