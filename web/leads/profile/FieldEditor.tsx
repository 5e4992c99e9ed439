import { type FocusEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';
import type { EditableFieldProps } from './EditableField.tsx';

interface Props extends Pick<EditableFieldProps, 'label' | 'type' | 'value' | 'onSave'> {
  /** Whether the focus goes back to what opened the editor, or is somewhere else already. */
  onClose: (focus: 'back' | 'elsewhere') => void;
}

/** Saves by button, by Enter and by leaving it; Cancel and Escape leave everything as it was. */
export function FieldEditor({ label, type, value, onSave, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  // State arrives a moment later than the next event: Enter followed by leaving must save once.
  const settled = useRef(false);
  const refused = useRef<string>(undefined);

  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const close = (focus: 'back' | 'elsewhere') => {
    settled.current = true;
    onClose(focus);
  };

  const save = async (focus: 'back' | 'elsewhere') => {
    if (settled.current) return;
    const next = typed.trim();
    if (next === value) return close(focus);
    settled.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await onSave(next);
      onClose(focus);
    } catch (failure) {
      // The toast has said that it failed; what was typed stays to be put right.
      settled.current = false;
      refused.current = next;
      setBusy(false);
      setError(failure instanceof ApiError ? failure.reason : (failure as Error).message);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save('back');
  };
  const leave = (event: FocusEvent<HTMLFormElement>) => {
    // To its own buttons, or with the whole window: neither is leaving.
    const still = [event.relatedTarget, document.activeElement].some((at) => event.currentTarget.contains(at as Node));
    // What was refused once is not sent again unchanged, only because the focus moves.
    if (!still && typed.trim() !== refused.current) void save('elsewhere');
  };
  const giveUp = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !busy) close('back');
  };
  // Safari does not give the focus to a button that is clicked: without this, Cancel would first save.
  const stay = (event: { preventDefault: () => void }) => event.preventDefault();

  return (
    <form noValidate onSubmit={submit} onBlur={leave} onKeyDown={giveUp} className="flex flex-wrap items-start gap-2">
      <TextField
        ref={input}
        className="min-w-48 flex-1"
        label={label}
        labelHidden
        type={type}
        autoComplete="off"
        value={typed}
        readOnly={busy}
        error={error}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" busy={busy} onMouseDown={stay}>
          Save
        </Button>
        <Button variant="secondary" disabled={busy} onMouseDown={stay} onClick={() => close('back')}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
