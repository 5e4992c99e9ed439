import { type FormEvent, useState } from 'react';
import { OBJECTION_CHANNEL_LABEL, type ObjectionChannel } from '#contract/contact-rules/objection.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import type { ObjectionsState } from './objections-state.ts';

const CHANNELS = [
  { value: '', label: 'All ways' },
  ...Object.entries(OBJECTION_CHANNEL_LABEL).map(([value, label]) => ({ value, label })),
];

interface Props {
  state: ObjectionsState;
  onChange: (changed: Partial<ObjectionsState>) => void;
}

export function ObjectionFilters({ state, onChange }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <div role="search" aria-label="Objections" className="flex flex-wrap items-end gap-3">
      <Finder key={state.q} q={state.q} onFind={(q) => onChange({ q })} />
      <SelectField
        className="w-full sm:w-48"
        label="Way of contact"
        options={CHANNELS}
        value={state.channel}
        // The value is one of the options above.
        onChange={({ target }) => onChange({ channel: target.value as ObjectionChannel | '' })}
      />
      <Checkbox
        label="Also lifted ones"
        checked={state.lifted === 'true'}
        onChange={({ target }) => onChange({ lifted: target.checked ? 'true' : 'false' })}
      />
    </div>
  );
}

function Finder({ q, onFind }: { q: string; onFind: (q: string) => void }) {
  const [text, setText] = useState(q);
  const find = (event: FormEvent) => {
    event.preventDefault();
    onFind(text.trim());
  };
  return (
    <form className="flex w-full items-end gap-2 sm:w-96" onSubmit={find}>
      <TextField
        className="min-w-0 flex-1"
        label="Number, e-mail address or business"
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" variant="secondary">
        Find
      </Button>
    </form>
  );
}
