import { type FormEvent, useState } from 'react';
import {
  concerns,
  OBJECTION_CHANNEL_LABEL,
  type ObjectionChannel,
  objectionChannel,
} from '#contract/contact-rules/objection.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField, TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useAddObjection } from './objections.data.ts';

type Kind = 'number' | 'email';
const KINDS = [
  { value: 'number', label: 'A phone number' },
  { value: 'email', label: 'An e-mail address' },
];

/** Records an objection on any number or address, whether or not a lead has it. */
export function AddObjectionDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('number');
  const [value, setValue] = useState('');
  const [channel, setChannel] = useState<ObjectionChannel>('all');
  const [words, setWords] = useState('');
  const [error, setError] = useState<string>();
  const add = useAddObjection();
  const ways = objectionChannel.options.filter((way) => concerns(way, kind));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!value.trim()) return setError('Please enter a number or an e-mail address');
    setError(undefined);
    if (add.isPending) return;
    add.mutate(
      { on: kind, value, channel: ways.includes(channel) ? channel : 'all', words },
      { onSuccess: onClose, onError: ({ message }) => setError(message.replace(/^\d+: /, '')) },
    );
  };
  return (
    <Dialog open onClose={onClose} title="Do not contact">
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <SelectField
          label="What it is about"
          options={KINDS}
          value={kind}
          onChange={({ target }) => setKind(target.value as Kind)}
        />
        <TextField
          label={kind === 'email' ? 'E-mail address' : 'Phone number'}
          type={kind === 'email' ? 'email' : 'tel'}
          value={value}
          error={error}
          onChange={({ target }) => setValue(target.value)}
        />
        <SelectField
          label="They do not want"
          options={ways.map((way) => ({ value: way, label: OBJECTION_CHANNEL_LABEL[way] }))}
          value={ways.includes(channel) ? channel : 'all'}
          // The value is one of the options above.
          onChange={({ target }) => setChannel(target.value as ObjectionChannel)}
        />
        <TextareaField
          label="Their words (optional)"
          rows={2}
          value={words}
          maxLength={500}
          onChange={({ target }) => setWords(target.value)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={add.isPending}>
            Record
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
