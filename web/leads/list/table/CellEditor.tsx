import { clsx } from 'clsx';
import { type KeyboardEvent, useRef, useState } from 'react';
import { DETAIL_OF_COLUMN, isDetailColumn } from '#contract/leads/fields/detail-fields.ts';
import { IMPORTED_TAG, LEAD_STATUS_LABEL, leadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { readValue, writeValue } from '#contract/leads/own-fields/own-field.ts';
import { controlClass } from '#web/kit/ui/forms/Field.tsx';
import { OWN_FIELD_VIEWS } from '#web/leads/own-field-views.tsx';
import { OwnValueConflict } from '#web/leads/own-value-conflict.ts';
import { useNewLabels } from '#web/leads/use-new-labels.ts';
import { CellPanel } from './CellPanel.tsx';
import { type EditableColumn, useSaveCell } from './grid.data.ts';

function readText({ business, userBusiness: lead }: ListedLead, column: EditableColumn): string {
  if (typeof column === 'object') return writeValue(column, lead.ownFields[column.id]);
  if (isDetailColumn(column)) return lead.customFields[DETAIL_OF_COLUMN[column]] ?? '';
  return {
    status: lead.status,
    tags: lead.tags.filter((tag) => tag !== IMPORTED_TAG).join(', '),
    phone: business.phone ?? '',
    website: business.website ?? '',
  }[column];
}

const readBefore = ({ userBusiness: lead }: ListedLead, column: EditableColumn): OwnValue | null =>
  typeof column === 'object' ? (lead.ownFields[column.id] ?? null) : null;

function readSaved(column: EditableColumn, text: string): OwnValue | null {
  const read = typeof column === 'object' ? readValue(column, text) : { value: null };
  return 'value' in read ? read.value : null;
}

interface Props {
  item: ListedLead;
  column: EditableColumn;
  /** The name of the column. */
  label: string;
  /** What is typed and not saved, for as long as the editor is open. */
  onType: (text: string) => void;
  /** Saved or cancelled. By key, the cell takes the focus again. */
  onClose: (by: 'key' | 'blur') => void;
}

/**
 * The field of a cell. Enter and leaving it save, Escape keeps the old value. What the server refuses stays in the field,
 * and so does what is typed while it saves.
 */
export function CellEditor({ item, column, label, onType, onClose }: Props) {
  const value = readText(item, column);
  const [text, setText] = useState(value);
  const save = useSaveCell();
  /** What is replaced is what the editor was opened with, or what a conflict has shown. */
  const before = useRef(readBefore(item, column));
  // Closing takes the focus away, which must not save again.
  const closed = useRef(false);
  const close = (by: 'key' | 'blur') => {
    closed.current = true;
    onClose(by);
  };
  const latest = useRef(value);
  const refused = useRef<string>(undefined);
  // A click beside the field and the focus that moves there are two events.
  const saving = useRef(false);
  const input = useRef<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement>(null);
  const change = (next: string) => {
    latest.current = next;
    setText(next);
    onType(next);
  };
  useNewLabels(typeof column === 'object' ? column : undefined, text, change);
  const submit = (by: 'key' | 'blur', saved = value) => {
    const next = latest.current.trim();
    if (next === saved) return close(by);
    // A refused text is not sent again unchanged just because the focus moves.
    if (by === 'blur' && next === refused.current) return;
    const finish = () => {
      saving.current = false;
      before.current = readSaved(column, next);
      if (latest.current.trim() === next) close(by);
      else if (document.activeElement !== input.current) submit('blur', next);
    };
    const keep = (error: unknown) => {
      saving.current = false;
      refused.current = next;
      if (error instanceof OwnValueConflict) before.current = error.current;
    };
    saving.current = true;
    save.mutate({ item, column, value: next, before: before.current }, { onSuccess: finish, onError: keep });
  };
  const trySubmit = (by: 'key' | 'blur') => !closed.current && !saving.current && submit(by);
  const field = {
    ref: input,
    'aria-label': `${label} of ${item.business.name}`,
    'aria-busy': save.isPending,
    'aria-invalid': save.isError || undefined,
    // The user asked for the field, by a key or a double click.
    autoFocus: true,
    className: clsx(controlClass, 'h-9 px-2'),
    value: text,
    onBlur: () => trySubmit('blur'),
    onKeyDown: (event: KeyboardEvent) => {
      // The keys of the table belong to the field.
      event.stopPropagation();
      if (event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault();
        trySubmit('key');
      }
      if (event.key === 'Escape') close('key');
    },
  };
  if (column === 'status') {
    return (
      <select {...field} onChange={({ target }) => change(target.value)}>
        {leadStatus.options.map((status) => (
          <option key={status} value={status}>
            {LEAD_STATUS_LABEL[status]}
          </option>
        ))}
      </select>
    );
  }
  if (typeof column === 'object') {
    const { cell } = OWN_FIELD_VIEWS[column.type];
    if (cell?.panel) {
      return (
        <CellPanel
          field={column}
          label={field['aria-label']}
          text={text}
          busy={save.isPending}
          error={save.error?.message}
          onChange={change}
          onSave={trySubmit}
          onCancel={() => close('key')}
        />
      );
    }
    const options = cell?.options?.({ field: column, value: text });
    if (options) {
      return (
        <select {...field} onChange={({ target }) => change(target.value)}>
          <option value="">None</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      );
    }
    if (cell?.lines) return <textarea {...field} rows={1} onChange={({ target }) => change(target.value)} />;
    return <input {...field} type={cell?.type ?? 'text'} onChange={({ target }) => change(target.value)} />;
  }
  return <input {...field} onChange={({ target }) => change(target.value)} />;
}
