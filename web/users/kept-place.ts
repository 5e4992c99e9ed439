import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Keeps the keyboard's place in a table whose rows and buttons come and go. When what had the focus disappears, the
 * row that now stands there takes it, or the last one; without any row, whatever `otherwise` finds.
 */
export function useKeptPlace(otherwise: () => HTMLElement | null) {
  const rows = useRef<HTMLTableSectionElement>(null);
  const held = useRef<Element | null>(null);
  const place = useRef(0);

  const restore = () => {
    held.current = null;
    const present = rows.current?.rows ?? [];
    const row = present[Math.min(place.current, present.length - 1)];
    (row ?? otherwise())?.focus();
  };

  // After every change of the table, whatever caused it.
  useEffect(() => {
    const lost = held.current?.isConnected === false && document.activeElement === document.body;
    if (lost) restore();
  });

  const onFocus = ({ target }: FocusEvent) => {
    held.current = target;
    place.current = [...(rows.current?.rows ?? [])].findIndex((row) => row.contains(target));
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // Moved on by the person; something that disappears has no successor.
    if (relatedTarget) held.current = null;
  };

  return { rows, restore, watch: { onFocus, onBlur } };
}
