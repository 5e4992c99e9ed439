// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops table semantics when rows are laid out as cards
import { type FocusEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';

const COLUMNS = ['Username', 'Email', 'Full Name', 'Role', 'Monthly Goal', 'Status', 'Actions'];
const RIGHT_ALIGNED = ['Monthly Goal', 'Actions'];

interface Props {
  body: RefObject<HTMLTableSectionElement | null>;
  focusHandlers: { onFocus: (event: FocusEvent) => void; onBlur: (event: FocusEvent) => void };
  children: ReactNode;
}

/** A table on wide screens, cards on narrow ones; a table for screen readers on both. */
export function UsersTable({ body, focusHandlers, children }: Props) {
  return (
    <div className="lg:overflow-hidden lg:rounded-lg lg:border lg:border-line lg:bg-surface">
      <table
        role="table"
        aria-label="Users"
        className="w-full border-collapse text-left text-sm max-lg:block"
        {...focusHandlers}
      >
        <thead
          role="rowgroup"
          className="border-b border-line bg-paper text-xs font-semibold text-muted max-lg:sr-only"
        >
          <tr role="row">
            {COLUMNS.map((column) => (
              <th
                key={column}
                role="columnheader"
                scope="col"
                className={`px-4 py-3 whitespace-nowrap ${RIGHT_ALIGNED.includes(column) ? 'text-right' : ''}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          ref={body}
          className="lg:divide-y lg:divide-line max-lg:grid max-lg:gap-3 sm:max-lg:grid-cols-2"
        >
          {children}
        </tbody>
      </table>
    </div>
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
