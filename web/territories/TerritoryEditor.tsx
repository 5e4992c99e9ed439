import { type FormEvent, useRef, useState } from 'react';
import { formatDistrictList, parseDistrictList } from '#contract/territories/district-list.ts';
import type { Territory, TerritoryChange } from '#contract/territories/territory.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import type { Others } from './territory-draft.ts';

interface Props {
  person: Territory;
  /** The codes of all districts. */
  known: string[];
  others: Others;
  onOthersChange: (others: Others) => void;
  onAdd: (districts: string[]) => void;
  onRemove: (districts: string[]) => void;
}

/** Adds districts to a person, or removes them, by their names: the map does the same by pointer. */
export function TerritoryEditor({ person, known, others, onOthersChange, onAdd, onRemove }: Props) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const name = person.fullName || person.username;

  const apply = (change: (districts: string[]) => void) => {
    const { districts, unknown } = parseDistrictList(text, known);
    const message = describeInvalid(districts, unknown);
    setError(message);
    field.current?.focus();
    if (message) return;
    change(districts);
    setText('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply(onAdd);
  };

  return (
    <Card className="flex flex-col gap-4">
      <div>
        <CardTitle>{`Territory of ${name}`}</CardTitle>
        <p className="text-sm text-muted">
          {person.active
            ? 'Click districts on the map, or name them here.'
            : 'An inactive user gets no districts, and can lose the ones of before.'}
        </p>
      </div>
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          ref={field}
          label="Districts"
          hint="Districts, ranges and whole areas, such as LS, WF1-WF4, BD23"
          autoComplete="off"
          spellCheck={false}
          value={text}
          error={error}
          onChange={({ target }) => {
            setText(target.value);
            setError(undefined);
          }}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="secondary" disabled={!person.active}>
            Add
          </Button>
          <Button variant="secondary" onClick={() => apply(onRemove)}>
            Remove
          </Button>
        </div>
      </form>
      <Checkbox
        label="Take added districts from their current owners"
        checked={others === 'lose'}
        onChange={({ target }) => onOthersChange(target.checked ? 'lose' : 'keep')}
      />
    </Card>
  );
}

function describeInvalid(districts: string[], unknown: string[]): string | undefined {
  if (unknown.length) return `Not a district, range or area: ${unknown.slice(0, 5).join(', ')}`;
  return districts.length ? undefined : 'Name at least one district';
}

interface UnsavedProps {
  changes: TerritoryChange[];
  nameOf: (userId: number) => string;
  known: string[];
  busy: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** What will be saved, of all people. */
export function UnsavedChanges({ changes, nameOf, known, busy, onSave, onDiscard }: UnsavedProps) {
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <CardTitle>Not saved yet</CardTitle>
        <ul className="flex flex-col gap-1 text-sm">
          {changes.map(({ userId, add, remove }) => (
            <li key={userId} className="[overflow-wrap:anywhere]">
              <span className="font-medium">{nameOf(userId)}</span>
              {add.length > 0 && ` gets ${formatDistrictList(add, known)}`}
              {add.length > 0 && remove.length > 0 && ' and'}
              {remove.length > 0 && ` loses ${formatDistrictList(remove, known)}`}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={onSave}>
          Save
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Card>
  );
}
