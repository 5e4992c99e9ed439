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
  /** Three in a row on a phone, too. */
  dense?: boolean;
  onChoose: (outcome: ActivityOutcome) => void;
}

/** The outcomes that the team offers. Each saves the contact, and says what it plans. */
export function OutcomeButtons({ rules, describeNext, saving, group, dense = false, onChoose }: Props) {
  const offered = activityOutcome.options.filter((outcome) => rules[outcome].offered);
  const inPerson = offered.find((outcome) => OUTCOME[outcome].type === 'meeting');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form, these act at once
    <div
      ref={group}
      role="group"
      aria-label="Outcome"
      className={clsx('grid gap-2', dense ? 'grid-cols-3 gap-1.5 lg:grid-cols-5' : 'grid-cols-2 sm:grid-cols-3')}
    >
      {offered.map((outcome) => (
        <OutcomeButton
          key={outcome}
          outcome={outcome}
          label={rules[outcome].label}
          next={describeNext(outcome)}
          startsRow={!dense && outcome === inPerson}
          dense={dense}
          busy={saving === outcome}
          onChoose={() => onChoose(outcome)}
        />
      ))}
    </div>
  );
}

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
  /** The outcomes of visits begin on a row of their own. */
  startsRow: boolean;
  dense: boolean;
  busy: boolean;
  onChoose: () => void;
}

function OutcomeButton({ outcome, label, next, startsRow, dense, busy, onChoose }: OutcomeProps) {
  const id = useId();
  const Icon = ICON[outcome];
  return (
    <Button
      variant="secondary"
      className={clsx('min-h-12 min-w-0 justify-start text-left max-sm:px-2', startsRow && 'col-start-1')}
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
