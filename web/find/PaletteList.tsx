import { CornerDownLeft } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { PaletteGroup, PaletteOption } from './PaletteItems.tsx';

interface Props {
  id: string;
  groups: PaletteGroup[];
  selected: PaletteOption | undefined;
  /** The mouse is above an option. */
  onMove: (option: PaletteOption) => void;
}

/** The options of the palette. The focus stays in its field. */
export function PaletteList({ id, groups, selected, onMove }: Props) {
  return (
    <div
      role="listbox"
      id={id}
      aria-label="Results"
      tabIndex={-1}
      className="min-h-0 scroll-py-2 overflow-y-auto overscroll-contain p-2"
    >
      {groups.map(({ heading, options }) => (
        <Group key={heading} heading={heading}>
          {options.map((option) => (
            <Option
              key={option.value}
              listId={id}
              option={option}
              selected={option.value === selected?.value}
              onMove={onMove}
            />
          ))}
        </Group>
      ))}
    </div>
  );
}

export const optionId = (listId: string, { value }: PaletteOption) => `${listId}-${value.replaceAll(' ', '-')}`;

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a listbox
    <div role="group" aria-labelledby={id} className="not-first:mt-2">
      <div id={id} aria-hidden="true" className="px-3 py-1.5 text-xs font-semibold text-muted">
        {heading}
      </div>
      {children}
    </div>
  );
}

type OptionProps = { listId: string; option: PaletteOption; selected: boolean; onMove: Props['onMove'] };

function Option({ listId, option, selected, onMove }: OptionProps) {
  const { icon: Icon, content, onSelect } = option;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected) element.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      ref={element}
      role="option"
      id={optionId(listId, option)}
      aria-selected={selected}
      tabIndex={-1}
      // A list that appears below a resting mouse has a pointer event too, which moves by nothing.
      onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && onMove(option)}
      onClick={onSelect}
      className="group flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm select-none aria-selected:bg-pine-soft aria-selected:text-pine-text"
    >
      <Icon aria-hidden="true" className="size-4.5 shrink-0 text-muted group-aria-selected:text-pine-text" />
      {content}
      <CornerDownLeft
        aria-hidden="true"
        className="size-4 shrink-0 opacity-0 group-aria-selected:opacity-100 max-sm:hidden"
      />
    </div>
  );
}
