import { clsx } from 'clsx';
import { type KeyboardEvent, type Ref, useId, useRef, useState } from 'react';
import { suggest } from '#contract/search/suggestions.ts';
import { controlClass, Field } from '#web/kit/ui/Field.tsx';
import { useAfterPress } from './after-press.ts';
import { Suggestions } from './Suggestions.tsx';

interface Props {
  label: string;
  name: string;
  placeholder: string;
  value: string;
  error: string | undefined;
  /** Fetches what can be suggested; asked for when the field is first entered. */
  load: () => Promise<readonly string[]>;
  most: number;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
}

/** A line of text that suggests how it might go on. Anything else may be typed as well. */
export function SuggestField({ label, name, placeholder, value, error, load, most, onChange, ref }: Props) {
  const listId = useId();
  const [names, setNames] = useState<readonly string[]>();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const matches = suggest(names ?? [], value, most);
  const shown = open && matches.length > 0;
  const optionId = (index: number) => `${listId}-${index}`;

  const fetchNames = () => {
    // Without the list the field is still a field.
    if (!names) load().then(setNames, () => {});
  };
  const pick = (picked: string) => {
    onChange(picked);
    close();
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const focused = useRef(false);
  // The person may be back in the field by then.
  const leave = useAfterPress(() => {
    if (!focused.current) close();
  });
  const move = (step: number) => {
    setOpen(true);
    const from = active === -1 && step < 0 ? 0 : active;
    setActive((from + step + matches.length) % matches.length);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && matches.length > 0) {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    }
    const chosen = shown ? matches[active] : undefined;
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      pick(chosen);
    } else if (event.key === 'Enter') close();
    if (event.key === 'Escape' && shown) {
      event.preventDefault();
      close();
    }
  };

  return (
    <Field label={label} error={error} className="min-w-0">
      {(control) => (
        <div className="relative">
          <input
            {...control}
            ref={ref}
            name={name}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={shown}
            aria-controls={shown ? listId : undefined}
            aria-activedescendant={shown && active >= 0 ? optionId(active) : undefined}
            autoComplete="off"
            maxLength={200}
            placeholder={placeholder}
            value={value}
            className={clsx(controlClass, 'h-11 px-3 sm:h-10')}
            onFocus={() => {
              focused.current = true;
              fetchNames();
            }}
            onBlur={() => {
              focused.current = false;
              leave();
            }}
            onChange={({ target }) => {
              fetchNames();
              setOpen(true);
              setActive(-1);
              onChange(target.value);
            }}
            onKeyDown={onKeyDown}
          />
          {shown && (
            <Suggestions
              id={listId}
              matches={matches}
              active={active}
              optionId={optionId}
              onPick={pick}
              typed={value}
            />
          )}
        </div>
      )}
    </Field>
  );
}
