import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, EllipsisVertical, GripVertical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FIELD_TYPES } from '#contract/leads/own-fields/field-types.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { Menu, MenuItem } from '#web/kit/ui/overlays/Menu.tsx';
import { useArchiveField, useOrderFields } from '#web/settings/own-fields.data.ts';
import { useDragOrder } from './use-drag-order.ts';

interface Props {
  fields: OwnField[];
  onEdit: (field: OwnField) => void;
}

type Direction = 'up' | 'down';

/** The fields in their order, which is changed by dragging or by buttons. */
export function FieldList({ fields, onEdit }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const { mutate: order } = useOrderFields();
  const { mutate: archive } = useArchiveField();
  const [moved, setMoved] = useState<{ id: number; direction: Direction }>();
  const drag = useDragOrder(
    fields.map(({ id }) => id),
    order,
  );
  const shown = drag.order.flatMap((id) => fields.find((field) => field.id === id) ?? []);
  const position = moved ? shown.findIndex(({ id }) => id === moved.id) : -1;

  // The browser takes the focus away from an element that changes its place.
  useEffect(() => {
    if (!moved) return;
    const button = list.current?.querySelector(`[data-field="${moved.id}"] [data-move="${moved.direction}"]`);
    if (button instanceof HTMLElement) button.focus();
  }, [moved]);

  const move = ({ id }: OwnField, direction: Direction) => {
    const ids = shown.map((field) => field.id);
    const at = ids.indexOf(id);
    ids.splice(at, 1);
    ids.splice(at + (direction === 'up' ? -1 : 1), 0, id);
    order(ids);
    setMoved({ id, direction });
  };

  return (
    <>
      <p role="status" className="sr-only">
        {position >= 0 && `${shown[position]?.name} is now field ${position + 1} of ${shown.length}`}
      </p>
      <ul ref={list} aria-label="Fields" className="divide-y divide-line rounded-md border border-line">
        {shown.map((field, index) => (
          <li
            key={field.id}
            data-field={field.id}
            className={clsx(
              'flex flex-wrap items-center gap-x-2 py-1 pr-1',
              field.id === drag.draggedId && 'bg-pine-soft',
            )}
          >
            <span
              aria-hidden="true"
              className="grid h-11 w-8 shrink-0 cursor-grab touch-none place-items-center text-muted"
              onPointerDown={(event) => drag.start(event, field.id)}
            >
              <GripVertical className="size-4" />
            </span>
            <FieldSummary field={field} />
            <div className="ml-auto flex shrink-0">
              <IconButton
                data-move="up"
                icon={ArrowUp}
                label={`Move ${field.name} up`}
                disabledReason={index === 0 ? 'This is the first field' : undefined}
                onClick={() => move(field, 'up')}
              />
              <IconButton
                data-move="down"
                icon={ArrowDown}
                label={`Move ${field.name} down`}
                disabledReason={index === shown.length - 1 ? 'This is the last field' : undefined}
                onClick={() => move(field, 'down')}
              />
              <Menu trigger={<IconButton icon={EllipsisVertical} label={`More about ${field.name}`} />}>
                <MenuItem onSelect={() => onEdit(field)}>Edit</MenuItem>
                <MenuItem onSelect={() => archive(field)}>Archive</MenuItem>
              </Menu>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Name, type and where it is shown. */
export function FieldSummary({ field }: { field: OwnField }) {
  const { name, type, unit, choices, requiredToWin } = field;
  const offered = choices.filter(({ retired }) => !retired).length;
  const places = [
    ...[field.inProfile && 'profile', field.inTable && 'table', field.onCard && 'board card'],
    field.inForm && 'the form of a new business',
  ].filter(Boolean);
  return (
    // On phones, the buttons are below.
    <div className="min-w-0 flex-1 py-1 text-sm max-sm:basis-[calc(100%-2.75rem)]">
      <p className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
        {name}
        {requiredToWin && <Badge>Needed to win</Badge>}
      </p>
      <p className="text-muted [overflow-wrap:anywhere]">
        {FIELD_TYPES[type].label}
        {unit && `: ${unit}`}
        {offered > 0 && ` of ${offered}`}
        <span className="max-sm:block">
          <span className="max-sm:hidden"> · </span>
          {places.length ? `in ${places.join(', ')}` : 'shown nowhere'}
        </span>
      </p>
    </div>
  );
}
