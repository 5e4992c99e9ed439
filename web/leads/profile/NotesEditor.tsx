import { type FormEvent, useRef } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField } from '#web/kit/ui/Input.tsx';
import { NotesConflict } from './NotesConflict.tsx';
import type { Notes } from './notes.data.ts';

export function NotesEditor({ notes, mayChange }: { notes: Notes; mayChange: boolean }) {
  const field = useRef<HTMLTextAreaElement>(null);
  if (!mayChange) return <PlainNotes text={notes.text} />;

  const conflict = notes.theirs !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!conflict) notes.submit();
  };
  /** The question goes away with its buttons; what it was about has the focus then. */
  const decide = (choose: () => void) => () => {
    choose();
    field.current?.focus();
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {notes.theirs !== undefined && (
        <NotesConflict
          theirs={notes.theirs}
          onBoth={decide(notes.useBoth)}
          onMine={decide(notes.useMine)}
          onTheirs={decide(notes.useTheirs)}
        />
      )}
      <TextareaField
        ref={field}
        label={conflict ? 'Your notes' : 'Notes'}
        labelHidden={!conflict}
        placeholder="What should be remembered about this business?"
        rows={8}
        value={notes.text}
        onChange={({ target }) => notes.type(target.value)}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p aria-live="polite" className="text-sm text-muted">
          {stateOf(notes)}
        </p>
        <Button type="submit" busy={notes.saving} disabled={conflict} className="max-sm:w-full">
          {notes.saving ? 'Saving...' : 'Save Notes'}
        </Button>
      </div>
    </form>
  );
}

function stateOf({ saving, theirs, unsaved, text }: Notes) {
  if (saving) return '';
  if (theirs !== undefined) return 'Choose above before you save.';
  if (unsaved) return 'Not saved yet. Your text is kept in this tab.';
  return text === '' ? '' : 'All changes saved.';
}

function PlainNotes({ text }: { text: string }) {
  if (text.trim() === '') return <p className="text-sm text-muted">No notes yet.</p>;
  return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>;
}
