import { type FormEvent, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField, TextField } from '#web/kit/ui/forms/Input.tsx';

interface Props {
  label: string;
  value: string;
  /** Whether it can have several. */
  lines: boolean;
  onSave: (text: string) => void;
  onCancel: () => void;
}

export function EditText({ label, value, lines, onSave, onCancel }: Props) {
  const [text, setText] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(text.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      {lines ? (
        <TextareaField label={label} rows={4} value={text} onChange={({ target }) => setText(target.value)} />
      ) : (
        <TextField label={label} value={text} onChange={({ target }) => setText(target.value)} />
      )}
      <div className="flex gap-2">
        <Button type="submit" size="sm">
          Save
        </Button>
        <Button variant="secondary" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
