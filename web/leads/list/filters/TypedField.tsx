import { useEffect, useEffectEvent } from 'react';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { useTypedText } from './use-typed-text.ts';

export interface TypedProps {
  label: string;
  labelHidden?: boolean;
  value: string;
  /** How it is compared. */
  comparison?: string;
  normalise: (text: string) => string;
  error?: (text: string) => string | undefined;
  inputMode?: 'decimal';
  onSettle: (text: string, options: ChangeOptions) => void;
}

/** A text that a list is filtered by when the user stops typing. */
export function TypedField({ value, comparison, normalise, error, onSettle, ...input }: TypedProps) {
  const { text, setText, settle, end } = useTypedText(value, normalise, onSettle);
  const settleNow = useEffectEvent(settle);
  // What says nothing as a whole value may say something as a part of one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the comparison is what changes
  useEffect(() => settleNow(), [comparison]);
  return (
    <TextField
      {...input}
      autoComplete="off"
      maxLength={200}
      value={text}
      error={error?.(text)}
      onChange={({ target }) => setText(target.value)}
      onBlur={end}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
    />
  );
}
