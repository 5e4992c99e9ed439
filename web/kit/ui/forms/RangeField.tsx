import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react';
import { useDebounced } from '#web/kit/debounce.ts';
import { Field, type FieldProps } from './Field.tsx';

const SETTLED_MS = 300;

interface Props extends FieldProps, Pick<ComponentProps<'input'>, 'min' | 'max' | 'step'> {
  value: number;
  /** What screen readers say instead of the number. */
  formatValue: (value: number) => string;
  /** Called once the slider has come to rest: moving it passes many values. */
  onChange: (value: number) => void;
}

/** A number by a slider, with its value in the label. */
export function RangeField({
  label,
  hint,
  error,
  labelHidden,
  className,
  value,
  formatValue,
  onChange,
  ...input
}: Props) {
  const [current, setCurrent] = useState(value);
  useEffect(() => setCurrent(value), [value]);
  const settled = useDebounced(current, SETTLED_MS);
  const report = useEffectEvent(() => settled !== value && settled === current && onChange(settled));
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the slider has come to rest
  useEffect(() => void report(), [settled]);

  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => (
        <div className="flex min-h-11 items-center gap-3 sm:min-h-10">
          <input
            {...input}
            {...control}
            type="range"
            value={current}
            aria-valuetext={formatValue(current)}
            onChange={({ target }) => setCurrent(Number(target.value))}
            className="h-11 min-w-0 flex-1 accent-pine sm:h-10"
          />
          <output htmlFor={control.id} className="w-16 text-right text-sm tabular-nums">
            {formatValue(current)}
          </output>
        </div>
      )}
    </Field>
  );
}
