import { ChevronDown } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { lineControlClass } from '#web/kit/ui/forms/Field.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { OWN_FIELD_VIEWS } from '#web/leads/own-field-views.tsx';

interface Props {
  field: OwnField;
  label: string;
  text: string;
  busy: boolean;
  error: string | undefined;
  onChange: (text: string) => void;
  onSave: (by: 'key' | 'blur') => void;
  onCancel: () => void;
}

/** What does not fit in a cell is edited in a panel at it. Enter, Save and a click beside it save, Escape and Cancel do not. */
export function CellPanel({ field, label, text, busy, error, onChange, onSave, onCancel }: Props) {
  const { Control } = OWN_FIELD_VIEWS[field.type];
  const shown = text || 'None';
  const takeKey = (event: KeyboardEvent) => {
    // The keys of the table belong to the panel.
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!(event.target instanceof HTMLInputElement)) return;
    if (event.key === 'Enter') onSave('key');
    else if (step) moveFocus(event.currentTarget, event.target, step);
    else return;
    event.preventDefault();
  };
  return (
    <Popover
      label={label}
      open
      onOpenChange={() => onSave('blur')}
      onEscape={onCancel}
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${shown}`}
          className={`${lineControlClass} flex items-center justify-between gap-2 px-2 text-left`}
        >
          <span className="truncate">{shown}</span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
        </button>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the boxes in it */}
      <div className="flex flex-col gap-3" onKeyDown={takeKey}>
        <Control field={field} hint={field.help} error={error} value={text} onChange={onChange} />
        <div className="flex gap-2">
          <Button size="sm" busy={busy} onClick={() => onSave('key')}>
            Save
          </Button>
          <Button size="sm" variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </Popover>
  );
}

function moveFocus(panel: Element, from: HTMLInputElement, step: number) {
  const boxes = [...panel.querySelectorAll('input')];
  boxes[boxes.indexOf(from) + step]?.focus();
}
