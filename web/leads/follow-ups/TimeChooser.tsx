import { useState } from 'react';
import { suggestTimes } from '#contract/leads/follow-ups/suggested-times.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { zoneSuffix } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { parseLocalInput, toLocalInput } from './format-due.ts';

interface Props {
  label: string;
  busy: boolean;
  onChoose: (at: string) => void;
  /** Shown as the last choice: "No date" or "Cancel". */
  dismissLabel?: string;
  onDismiss?: () => void;
  /** Of the field for any other time. */
  submitLabel?: string;
}

/** The times at which people usually ring back, and a field for any other. */
export function TimeChooser({ label, busy, onChoose, dismissLabel, onDismiss, submitLabel = 'Plan' }: Props) {
  const { data: settings, errorUpdateCount, refetch } = useSettings();
  const [picking, setPicking] = useState(false);
  if (!settings && errorUpdateCount > 0)
    return <LoadError onRetry={() => void refetch()}>The times could not be loaded.</LoadError>;
  if (!settings) return null;
  const { timeZone, bankHolidays } = settings;
  const times = suggestTimes({ now: new Date(), timeZone, region: bankHolidays });
  const fallback = times.at(0)?.at ?? new Date().toISOString();

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form, these act at once
    <div role="group" aria-label={label} className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {times.map(({ label, time, at }) => (
          <Button key={at} variant="secondary" size="sm" busy={busy} onClick={() => onChoose(at)}>
            {time ? `${label} ${time}${zoneSuffix(at, timeZone)}` : label}
          </Button>
        ))}
        <Button variant="secondary" size="sm" aria-expanded={picking} onClick={() => setPicking(!picking)}>
          Pick…
        </Button>
        {onDismiss && (
          <Button variant="ghost" size="sm" onClick={onDismiss}>
            {dismissLabel}
          </Button>
        )}
      </div>
      {picking && (
        <PickTime timeZone={timeZone} initial={fallback} busy={busy} onChoose={onChoose} submitLabel={submitLabel} />
      )}
    </div>
  );
}

interface PickProps {
  timeZone: string;
  initial: string;
  busy: boolean;
  onChoose: (at: string) => void;
  submitLabel: string;
}

/** A field for any time. */
export function PickTime({ timeZone, initial, busy, onChoose, submitLabel }: PickProps) {
  const [value, setValue] = useState(toLocalInput(new Date(initial), timeZone));
  const moment = parseLocalInput(value, timeZone);
  const zone = zoneSuffix((moment ?? new Date(initial)).toISOString(), timeZone);
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (moment) onChoose(moment.toISOString());
      }}
    >
      <TextField
        label={`Date and time${zone && ` (${zone.trim()}, the team's time)`}`}
        type="datetime-local"
        // The field that was asked for; the focus would otherwise stay on the button.
        autoFocus
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <Button type="submit" busy={busy} disabled={!moment}>
        {submitLabel}
      </Button>
    </form>
  );
}
