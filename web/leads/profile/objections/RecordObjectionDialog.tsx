import { type FormEvent, useState } from 'react';
import { OBJECTION_CHANNEL_LABEL, type ObjectionChannel } from '#contract/contact-rules/objection.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useRecordObjection } from './objections.data.ts';

const OPTIONS = Object.entries(OBJECTION_CHANNEL_LABEL).map(([value, label]) => ({ value, label }));

interface Props {
  leadRef: LeadRef;
  name: string;
  onClose: () => void;
}

export function RecordObjectionDialog({ leadRef, name, onClose }: Props) {
  const [channel, setChannel] = useState<ObjectionChannel>('all');
  const [words, setWords] = useState('');
  const record = useRecordObjection(leadRef);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!record.isPending) record.mutate({ channel, words }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Record an objection"
      description={`${name} asked not to be contacted. It stays for good, also when the lead is deleted, merged, imported again or given to others.`}
    >
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <SelectField
          label="They do not want"
          options={OPTIONS}
          value={channel}
          // The value is one of the options above.
          onChange={({ target }) => setChannel(target.value as ObjectionChannel)}
        />
        <TextareaField
          label="Their words (optional)"
          rows={2}
          maxLength={500}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={record.isPending}>
            Record
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
