import { Pencil, Plus } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { FieldEditor } from './FieldEditor.tsx';

export interface EditableFieldProps {
  label: string;
  type: 'tel' | 'url' | 'email' | 'text';
  /** Empty where there is none. */
  value: string;
  mayChange: boolean;
  /** Given what was typed, trimmed; refuses by throwing. */
  onSave: (typed: string) => Promise<unknown>;
  /** The value as it is shown. */
  children: ReactNode;
}

/** A fact about the business that can be added, changed and taken away in its place. */
export function EditableField({ label, type, value, mayChange, onSave, children }: EditableFieldProps) {
  const [editing, setEditing] = useState(false);
  const returning = useRef(false);
  const noun = label.toLowerCase();

  const close = (focus: 'back' | 'elsewhere') => {
    returning.current = focus === 'back';
    setEditing(false);
  };
  const takeFocus = (button: HTMLButtonElement) => {
    if (returning.current) button.focus();
    returning.current = false;
    // "Add" gives way to "Edit" when the value comes, and hands the focus on.
    return () => {
      returning.current = document.activeElement === button;
    };
  };

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 border-t border-line py-2">
      <dt className="col-start-1 text-sm text-muted">{label}</dt>
      <dd className={editing ? 'col-span-2 pb-1' : 'contents'}>
        {editing && <FieldEditor label={label} type={type} value={value} onSave={onSave} onClose={close} />}
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
            variant="ghost"
            size="sm"
            className="col-start-2 row-start-1 -mr-3 text-pine-text"
            onClick={() => setEditing(true)}
          >
            <Plus aria-hidden="true" className="size-4" />
            Add {noun}
          </Button>
        )}
        {!editing && !value && !mayChange && <span className="text-sm text-muted">None</span>}
      </dd>
    </div>
  );
}
