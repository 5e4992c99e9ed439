import { clsx } from 'clsx';
import { type KeyboardEvent, type Ref, useId, useState } from 'react';
import { suggest } from '#contract/search/suggestions.ts';
import { controlLook, Field } from '#web/kit/ui/Field.tsx';

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
  const typedWhole = matches.length === 1 && matches[0]?.toLowerCase() === value.trim().toLowerCase();
  const shown = open && matches.length > 0 && !typedWhole;
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
  const move = (step: number) => {
    setOpen(true);
    const from = active === -1 && step < 0 ? 0 : active;
    setActive((from + step + matches.length) % matches.length);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && matches.length > 0 && !typedWhole) {
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
            className={clsx(controlLook, 'h-11 px-3 sm:h-10')}
            onFocus={fetchNames}
            onBlur={close}
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

interface SuggestionsProps {
  id: string;
  matches: string[];
  active: number;
  typed: string;
  optionId: (index: number) => string;
  onPick: (match: string) => void;
}

function Suggestions({ id, matches, active, typed, optionId, onPick }: SuggestionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      // A press on the list, its scroll bar included, must not take the focus out of the field, which would close it.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-30 mt-1 max-h-60 animate-rise overflow-y-auto rounded-md border border-line bg-raised p-1 text-sm shadow-over"
    >
      {matches.map((match, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the field, which has the keys
        <div
          key={match}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          ref={(option) => {
            if (index === active) option?.scrollIntoView?.({ block: 'nearest' });
          }}
          onClick={() => onPick(match)}
          className={clsx(
            'flex min-h-9 cursor-pointer items-center rounded-sm px-3 hover:bg-sunken',
            index === active && 'bg-sunken',
          )}
        >
          <Marked text={match} part={typed.trim()} />
        </div>
      ))}
    </div>
  );
}

/** Shows which part was typed. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  return (
    <span>
      {text.slice(0, at)}
      <strong className="font-semibold">{text.slice(at, at + part.length)}</strong>
      {text.slice(at + part.length)}
    </span>
  );
}
