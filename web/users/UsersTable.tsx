import { type FocusEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { CardHeadCell, CardTable, CardTableFrame } from '#web/kit/ui/tables/CardTable.tsx';

const COLUMNS = ['Username', 'Email', 'Full Name', 'Role', 'Monthly Goal', 'Status', 'Actions'];
const RIGHT_ALIGNED = ['Monthly Goal', 'Actions'];

interface Props {
  body: RefObject<HTMLTableSectionElement | null>;
  focusHandlers: { onFocus: (event: FocusEvent) => void; onBlur: (event: FocusEvent) => void };
  children: ReactNode;
}

export function UsersTable({ body, focusHandlers, children }: Props) {
  return (
    <CardTableFrame>
      <CardTable
        label="Users"
        head={COLUMNS.map((column) => (
          <CardHeadCell key={column} className={RIGHT_ALIGNED.includes(column) ? 'text-right' : ''}>
            {column}
          </CardHeadCell>
        ))}
        ref={body}
        className="sm:max-lg:grid-cols-2"
        {...focusHandlers}
      >
        {children}
      </CardTable>
    </CardTableFrame>
  );
}

/**
 * Keeps the keyboard focus in a table whose rows and buttons come and go. When the focused element is removed, the row
 * now at its position takes the focus, or the last row; without rows, the fallback.
 */
export function useTableFocus(findFallback: () => HTMLElement | null) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef<Element | null>(null);
  const rowIndex = useRef(0);

  const restore = () => {
    focused.current = null;
    const rows = body.current?.rows ?? [];
    const row = rows[Math.min(rowIndex.current, rows.length - 1)];
    (row ?? findFallback())?.focus();
  };

  // After every render, whatever removed the element.
  useEffect(() => {
    const lost = focused.current?.isConnected === false && document.activeElement === document.body;
    if (lost) restore();
  });

  const onFocus = ({ target }: FocusEvent) => {
    focused.current = target;
    rowIndex.current = [...(body.current?.rows ?? [])].findIndex((row) => row.contains(target));
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // Moved by the user; the blur of a removed element has no related target.
    if (relatedTarget) focused.current = null;
  };

  return { body, restore, focusHandlers: { onFocus, onBlur } };
}
