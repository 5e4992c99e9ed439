import { useState } from 'react';
import { calendarDay, FIRST_DAY, LAST_DAY } from '#contract/fields.ts';
import { type ChangeOptions, useTypingHistoryEntry } from '#web/kit/navigation/url-state.ts';
import { TextField } from './Input.tsx';

interface Props {
  label: string;
  /** "2026-11-17", or empty for none. */
  value: string;
  /** Called with a valid day or an empty text. The days that typing passes through are one step. */
  onChange: (day: string, options: ChangeOptions) => void;
}

/** A day. While its year is typed, browsers report days of the year 2 and 20, which are kept in the field. */
export function DayField({ label, value, onChange }: Props) {
  const typing = useTypingHistoryEntry();
  const [unfinished, setUnfinished] = useState<string>();
  const [left, setLeft] = useState(false);
  const change = (text: string) => {
    setLeft(false);
    const valid = text === '' || calendarDay.safeParse(text).success;
    setUnfinished(valid ? undefined : text);
    if (valid) onChange(text, typing.next());
  };
  return (
    <TextField
      label={label}
      type="date"
      min={FIRST_DAY}
      max={LAST_DAY}
      value={unfinished ?? value}
      error={left && unfinished !== undefined ? 'Enter a day from 2000 to 2099' : undefined}
      onChange={({ target }) => change(target.value)}
      onBlur={() => {
        setLeft(true);
        typing.end();
      }}
    />
  );
}
