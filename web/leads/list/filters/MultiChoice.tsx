import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { Field, lineControlClass } from '#web/kit/ui/forms/Field.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import type { Option } from '#web/kit/ui/forms/Select.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';

interface ChoiceProps {
  words: ChoiceWords;
  options: Option[];
  selected: string[];
  /** How many can be chosen. */
  max: number;
  onChange: (selected: string[]) => void;
}

/** What the options are called, and what is said while there is none. */
interface ChoiceWords {
  one: string;
  several: string;
  none: string;
  /** The label of the field that searches them; without it, they are read at a glance. */
  search?: string;
}

interface Props extends ChoiceProps {
  label: string;
  labelHidden?: boolean;
}

/** A filter of several values: leads with any of the selected ones match. */
export function MultiChoice({ label, labelHidden, ...choices }: Props) {
  const { words, options, selected } = choices;
  const labels = new Map(options.map((option) => [option.value, option.label]));
  const value = selected.map((each) => labels.get(each) ?? each).join(', ') || `All ${words.several}`;
  return (
    <Field label={label} labelHidden={labelHidden}>
      {({ id }) => (
        <Popover
          label={label}
          trigger={
            <button
              id={id}
              type="button"
              aria-label={`${label} ${value}`}
              className={clsx(lineControlClass, 'flex min-w-0 items-center justify-between gap-2 px-3 text-left')}
            >
              <span className="truncate">{value}</span>
              <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
            </button>
          }
        >
          <Choices {...choices} />
        </Popover>
      )}
    </Field>
  );
}

function Choices({ words, options, selected, max, onChange }: ChoiceProps) {
  const [search, setSearch] = useState('');
  // A selected value that no lead has any more can still be deselected.
  const known = new Set(options.map(({ value }) => value));
  const gone = selected.filter((value) => !known.has(value)).map((value) => ({ value, label: value }));
  const all = [...options, ...gone];
  const matching = all.filter(({ label }) => label.toLowerCase().includes(search.trim().toLowerCase()));
  const full = selected.length >= max;
  const toggle = (value: string) =>
    onChange(selected.includes(value) ? selected.filter((other) => other !== value) : [...selected, value]);

  return (
    <div className="flex flex-col gap-3">
      {words.search && (
        <TextField
          label={words.search}
          labelHidden
          type="search"
          placeholder={words.search}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <ul aria-label={capitalise(words.several)} className="flex max-h-72 flex-col overflow-y-auto">
        {matching.map(({ value, label }) => (
          <li key={value} className="flex min-h-9 items-center [overflow-wrap:anywhere]">
            <Checkbox
              label={label}
              checked={selected.includes(value)}
              disabled={full && !selected.includes(value)}
              onChange={() => toggle(value)}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="text-sm text-muted empty:hidden">
        {matching.length === 0 && (all.length === 0 ? words.none : `No ${words.one} matches.`)}
        {matching.length > 0 && full && `At most ${max} ${words.several} can be chosen.`}
      </p>
      <Button variant="secondary" size="sm" disabled={selected.length === 0} onClick={() => onChange([])}>
        Clear all
      </Button>
    </div>
  );
}

const capitalise = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
