import { useState } from 'react';
import { z } from 'zod';
import { FIRST_DAY, LAST_DAY } from '#contract/fields.ts';
import { type ChangeOptions, useTypingHistoryEntry } from '#web/kit/navigation/url-state.ts';
import { TextField } from './Input.tsx';

interface Props {
  label: string;
  labelHidden?: boolean;
  /** The first day that it takes. */
  first?: string;
  /** "2026-11-17", or empty for none. */
  value: string;
  /** Called with a valid day or an empty text. The days that typing passes through are one step. */
  onChange: (day: string, options: ChangeOptions) => void;
}

const isoDay = z.iso.date();

/** A day. While its year is typed, browsers report days of the year 2 and 20, which are kept in the field. */
export function DayField({ label, labelHidden, first = FIRST_DAY, value, onChange }: Props) {
  const typing = useTypingHistoryEntry();
  const [unfinished, setUnfinished] = useState<string>();
  const [left, setLeft] = useState(false);
  const change = (text: string) => {
    setLeft(false);
    const valid = text === '' || (isoDay.safeParse(text).success && text >= first && text <= LAST_DAY);
    setUnfinished(valid ? undefined : text);
    if (valid) onChange(text, typing.next());
  };
  return (
    <TextField
      label={label}
      labelHidden={labelHidden}
      type="date"
      min={first}
      max={LAST_DAY}
      value={unfinished ?? value}
      error={left && unfinished !== undefined ? `Enter a day from ${first.slice(0, 4)} to 2099` : undefined}
      onChange={({ target }) => change(target.value)}
      onBlur={() => {
        setLeft(true);
        typing.end();
      }}
    />
  );
}
