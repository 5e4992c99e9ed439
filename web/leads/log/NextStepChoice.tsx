import { useState } from 'react';
import { suggestTimes } from '#contract/leads/follow-ups/suggested-times.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { zoneSuffix } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { formatDue } from '#web/leads/follow-ups/format-due.ts';
import { PickTime } from '#web/leads/follow-ups/TimeChooser.tsx';

/** What is planned with a contact: what its outcome proposes, nothing, or a moment. */
export type NextChoice = 'proposed' | 'nothing' | { at: string };

interface Option {
  label: string;
  /** The letter that chooses it; empty for none. */
  key: string;
  choice: NextChoice;
}

const LETTERS = 'abcdefgh';

/** What can be planned with a contact, each by one key; undefined while the team's clock is not loaded. */
export function useNextOptions(): Option[] | undefined {
  const { data: settings } = useSettings();
  if (!settings) return undefined;
  const { timeZone, bankHolidays } = settings;
  const times = suggestTimes({ now: new Date(), timeZone, region: bankHolidays });
  return [
    { label: 'As proposed', key: 'p', choice: 'proposed' },
    ...times.map(({ label, time, at }, index) => ({
      label: time ? `${label} ${time}${zoneSuffix(at, timeZone)}` : label,
      key: LETTERS[index] ?? '',
      choice: { at },
    })),
    { label: 'Nothing', key: 'n', choice: 'nothing' },
  ];
}

interface Props {
  options: Option[] | undefined;
  choice: NextChoice;
  onChoose: (choice: NextChoice) => void;
}

/** Chooses what is planned with the contact, before its outcome saves it. */
export function NextStepChoice({ options, choice, onChoose }: Props) {
  const { data: settings, errorUpdateCount, refetch } = useSettings();
  const [picking, setPicking] = useState(false);
  if (!settings && errorUpdateCount > 0)
    return <LoadError onRetry={() => void refetch()}>The times could not be loaded.</LoadError>;
  if (!settings || !options) return null;
  const { timeZone } = settings;
  const isOffered = options.some((option) => isSame(option.choice, choice));

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form, these are toggles
    <div role="group" aria-label="When to follow up" className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <Button
            key={option.label}
            variant="secondary"
            size="sm"
            aria-pressed={isSame(option.choice, choice)}
            aria-keyshortcuts={option.key || undefined}
            className="aria-pressed:border-pine aria-pressed:bg-pine-soft aria-pressed:text-pine-text"
            onClick={() => onChoose(option.choice)}
          >
            {option.label}
            {option.key && (
              <span aria-hidden="true" className="text-xs font-normal text-muted uppercase pointer-coarse:hidden">
                {option.key}
              </span>
            )}
          </Button>
        ))}
        <Button
          variant="secondary"
          size="sm"
          aria-expanded={picking}
          className={isOffered ? '' : 'border-pine bg-pine-soft text-pine-text'}
          onClick={() => setPicking(!picking)}
        >
          {typeof choice === 'object' && !isOffered ? formatDue(choice.at, new Date(), timeZone) : 'Pick…'}
        </Button>
      </div>
      {picking && (
        <PickTime
          timeZone={timeZone}
          initial={options.flatMap(({ choice }) => (typeof choice === 'object' ? choice.at : []))[0] ?? ''}
          busy={false}
          submitLabel="Choose"
          onChoose={(at) => {
            onChoose({ at });
            setPicking(false);
          }}
        />
      )}
    </div>
  );
}

const isSame = (a: NextChoice, b: NextChoice) =>
  typeof a === 'object' && typeof b === 'object' ? a.at === b.at : a === b;
