import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ApiError } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import type { RestoredText } from '#web/leads/own-draft.ts';

/** A field whose value is edited in place. */
export interface Field {
  label: string;
  /** Empty where there is none. */
  value: string;
  /** Receives the trimmed text, and the value that the editor was opened with. Rejects where the text is refused. */
  onSave: (text: string, opened: string) => Promise<unknown>;
  renderControl: (control: TextControl) => ReactNode;
}

/** What the control of an editor needs. */
interface TextControl {
  className: string;
  value: string;
  readOnly: boolean;
  error: string | undefined;
  onChange: (text: string) => void;
}

interface Props extends Omit<Field, 'label'> {
  /** What was typed when the profile was left before. */
  draft: RestoredText | undefined;
  /** Keeps the text that is not saved; undefined for none. */
  onDraft: (text: string | undefined) => void;
  /** Whether the focus returns to the button that opened the editor, or has moved on already. */
  onClose: (focus: 'return' | 'leave') => void;
}

/** Saves by button, by Enter and on blur; Cancel and Escape discard. */
export function FieldEditor({ value, renderControl, draft, onDraft, onSave, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [opened] = useState(value);
  const [text, setText] = useState(draft?.text ?? value);
  const [restored] = useState(draft);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  // A ref, because state is set after the next event: Enter followed by blur must save once.
  const savingOrClosed = useRef(false);
  const lastRefused = useRef<string>(undefined);

  useEffect(() => {
    // The user has not asked for a field that was left open.
    if (restored) return;
    const control = form.current?.querySelector<HTMLElement>('input, select, textarea');
    control?.focus();
    if (control instanceof HTMLInputElement) control.select();
  }, [restored]);

  const change = (next: string) => {
    setText(next);
    onDraft(next === value ? undefined : next);
  };

  const close = (focus: 'return' | 'leave') => {
    savingOrClosed.current = true;
    onDraft(undefined);
    onClose(focus);
  };

  const save = async (focus: 'return' | 'leave') => {
    if (savingOrClosed.current) return;
    const next = text.trim();
    if (next === value) return close(focus);
    savingOrClosed.current = true;
    setBusy(true);
    setError(undefined);
    onDraft(undefined);
    try {
      await onSave(next, opened);
      onClose(focus);
    } catch (failure) {
      // The text stays, to be corrected, also where the profile was left meanwhile.
      onDraft(text);
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
    if (event.key !== 'Escape') return;
    // On the buttons, too, the key is not the one that leaves the profile.
    event.preventDefault();
    if (!busy) close('return');
  };
  // Safari does not focus a clicked button: without this, a click on Cancel would blur the field and save.
  const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault();

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      onBlur={saveOnBlur}
      onKeyDown={closeOnEscape}
      className="flex flex-wrap items-start gap-2"
    >
      {restored?.note && (
        <p role="status" className="w-full text-sm">
          {restored.note}
        </p>
      )}
      {renderControl({ className: 'min-w-48 flex-1', value: text, readOnly: busy, error, onChange: change })}
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
