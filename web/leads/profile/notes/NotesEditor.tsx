import { type FormEvent, useRef } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import type { Notes } from './notes.data.ts';

export function NotesEditor({ notes, mayChange }: { notes: Notes; mayChange: boolean }) {
  const field = useRef<HTMLTextAreaElement>(null);
  if (!mayChange) return <ReadOnlyNotes text={notes.text} />;

  const conflict = notes.conflictingText !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!conflict) notes.save();
  };
  /** The pressed button disappears with the conflict: the focus goes to the text. */
  const resolve = (keep: () => void) => () => {
    keep();
    field.current?.focus();
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {notes.conflictingText !== undefined && (
        <NotesConflict
          savedText={notes.conflictingText}
          onKeepBoth={resolve(notes.keepBoth)}
          onKeepMine={resolve(notes.keepMine)}
          onKeepSaved={resolve(notes.keepSaved)}
        />
      )}
      <TextareaField
        ref={field}
        label={conflict ? 'Your notes' : 'Notes'}
        labelHidden={!conflict}
        placeholder="What should be remembered about this business?"
        rows={8}
        value={notes.text}
        onChange={({ target }) => notes.changeText(target.value)}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p aria-live="polite" className="text-sm text-muted">
          {formatStatus(notes)}
        </p>
        <Button type="submit" busy={notes.saving} disabled={conflict} className="max-sm:w-full">
          {notes.saving ? 'Saving...' : 'Save Notes'}
        </Button>
      </div>
    </form>
  );
}

function formatStatus({ saving, conflictingText, unsaved, stored, text }: Notes) {
  if (saving) return '';
  if (conflictingText !== undefined) return 'Choose above before you save.';
  if (unsaved && !stored) return 'Not saved yet. Your text could not be stored: a reload would lose it.';
  if (unsaved) return 'Not saved yet. Your text is kept in this tab.';
  return text === '' ? '' : 'All changes saved.';
}

interface ConflictProps {
  savedText: string;
  onKeepBoth: () => void;
  onKeepMine: () => void;
  onKeepSaved: () => void;
}

function NotesConflict({ savedText, onKeepBoth, onKeepMine, onKeepSaved }: ConflictProps) {
  return (
    <section aria-label="Notes conflict" className="flex flex-col gap-4">
      <Notice tone="danger">
        <p className="font-semibold">Somebody else has changed these notes meanwhile.</p>
        <p>Nothing is lost: below are the saved notes, then yours. Decide what to keep.</p>
      </Notice>
      <div>
        <h3 className="mb-1 text-sm font-medium">Saved notes</h3>
        <div className="max-h-64 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2">
          {savedText.trim() === '' ? (
            <p className="text-muted">The notes were emptied.</p>
          ) : (
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{savedText}</p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onKeepBoth}>Keep both</Button>
        <Button variant="secondary" onClick={onKeepMine}>
          Keep mine
        </Button>
        <Button variant="secondary" onClick={onKeepSaved}>
          Keep saved notes
        </Button>
      </div>
    </section>
  );
}

function ReadOnlyNotes({ text }: { text: string }) {
  if (text.trim() === '') return <p className="text-sm text-muted">No notes yet.</p>;
  return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>;
}
