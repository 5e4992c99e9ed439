import { Pencil, Plus } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { type Draft, deleteDraft, saveDraft, useDraft } from '#web/kit/storage/drafts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import type { RestoredText } from '#web/leads/own-draft.ts';
import { type Field, FieldEditor } from './FieldEditor.tsx';

interface Props extends Field {
  mayChange: boolean;
  /** The key of the text that is not saved. It begins with the uuid, like every draft of a lead. */
  draftKey: string;
  /** Where the text names what may be renamed: what is kept beside it, and what a draft says by now. */
  renames?: { toValue: (text: string) => string | undefined; restore: (draft: Draft) => RestoredText };
  /** The value as it is displayed, as a link for example. */
  children: ReactNode;
}

/** A term and its value in a description list, with a button to add or edit the value. */
export function EditableField({ label, value, mayChange, draftKey, renames, onSave, renderControl, children }: Props) {
  const viewer = useViewer();
  const draft = useDraft(viewer.id, draftKey);
  const [editing, setEditing] = useState(mayChange && draft !== undefined);
  const returnFocus = useRef(false);
  const noun = label.toLowerCase();

  const storeDraft = (text: string | undefined) => {
    if (text === undefined) deleteDraft(viewer.id, draftKey);
    else {
      const value = renames?.toValue(text);
      saveDraft(viewer.id, draftKey, { text, version: 0, ...(value !== undefined && { value }) });
    }
  };
  const close = (focus: 'return' | 'leave') => {
    returnFocus.current = focus === 'return';
    setEditing(false);
  };
  const takeFocus = (button: HTMLButtonElement) => {
    if (returnFocus.current) button.focus();
    returnFocus.current = false;
    // When the value arrives, the "Edit" button replaces the focused "Add" button and takes its focus.
    return () => {
      returnFocus.current = document.activeElement === button;
    };
  };

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 border-t border-line py-2">
      <dt className="col-start-1 text-sm text-muted">{label}</dt>
      <dd className={editing ? 'col-span-2 py-1' : 'contents'}>
        {editing && (
          <FieldEditor
            value={value}
            renderControl={renderControl}
            draft={draft && (renames?.restore(draft) ?? draft)}
            onDraft={storeDraft}
            onSave={onSave}
            onClose={close}
          />
        )}
        {!editing && value && (
          <>
            <span className="col-start-1 min-w-0 [overflow-wrap:anywhere]">{children}</span>
            {mayChange && (
              <IconButton
                ref={takeFocus}
                icon={Pencil}
                label={`Edit ${noun}`}
                className="col-start-2 row-span-2 row-start-1 -mr-2"
                onClick={() => setEditing(true)}
              />
            )}
          </>
        )}
        {!editing && !value && mayChange && (
          <Button
            ref={takeFocus}
            variant="link"
            size="sm"
            className="col-start-2 row-start-1 -mr-3"
            onClick={() => setEditing(true)}
          >
            <Plus aria-hidden="true" />
            Add {noun}
          </Button>
        )}
        {!editing && !value && !mayChange && <span className="text-sm text-muted">None</span>}
      </dd>
    </div>
  );
}
