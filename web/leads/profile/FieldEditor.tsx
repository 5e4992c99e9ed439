import { type FocusEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';

/** A field whose value is edited in place. */
export interface Field {
  label: string;
  type: 'tel' | 'url' | 'email' | 'text';
  /** Empty where there is none. */
  value: string;
  /** Receives the trimmed text. Rejects where the server refuses it. */
  onSave: (text: string) => Promise<unknown>;
}

interface Props extends Field {
  /** Whether the focus returns to the button that opened the editor, or has moved on already. */
  onClose: (focus: 'return' | 'leave') => void;
}

/** Saves by button, by Enter and on blur; Cancel and Escape discard. */
export function FieldEditor({ label, type, value, onSave, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  // A ref, because state is set after the next event: Enter followed by blur must save once.
  const savingOrClosed = useRef(false);
  const lastRefused = useRef<string>(undefined);

  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const close = (focus: 'return' | 'leave') => {
    savingOrClosed.current = true;
    onClose(focus);
  };

  const save = async (focus: 'return' | 'leave') => {
    if (savingOrClosed.current) return;
    const next = text.trim();
    if (next === value) return close(focus);
    savingOrClosed.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await onSave(next);
      onClose(focus);
    } catch (failure) {
      // The text stays, to be corrected.
      savingOrClosed.current = false;
      lastRefused.current = next;
      setBusy(false);
      setError(failure instanceof ApiError ? failure.reason : (failure as Error).message);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save('return');
  };
  const saveOnBlur = (event: FocusEvent<HTMLFormElement>) => {
    // The focus has moved to a button of the editor, or the whole window has lost it.
    const inside = [event.relatedTarget, document.activeElement].some((element) =>
      event.currentTarget.contains(element as Node),
    );
    // A refused text is not sent again unchanged just because the focus moves.
    if (!inside && text.trim() !== lastRefused.current) void save('leave');
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !busy) close('return');
  };
  // Safari does not focus a clicked button: without this, a click on Cancel would blur the field and save.
  const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault();

  return (
    <form
      noValidate
      onSubmit={submit}
      onBlur={saveOnBlur}
      onKeyDown={closeOnEscape}
      className="flex flex-wrap items-start gap-2"
    >
      <TextField
        ref={input}
        className="min-w-48 flex-1"
        label={label}
        labelHidden
        type={type}
        autoComplete="off"
        value={text}
        readOnly={busy}
        error={error}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" busy={busy} onMouseDown={keepFocus}>
          Save
        </Button>
        <Button variant="secondary" disabled={busy} onMouseDown={keepFocus} onClick={() => close('return')}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
