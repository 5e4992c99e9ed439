// biome-ignore-all lint/a11y/noRedundantRoles: Safari forgets what a table is when its rows are laid out as cards
import type { FocusEvent, ReactNode, RefObject } from 'react';

const COLUMNS = ['Username', 'Email', 'Full Name', 'Role', 'Monthly Goal', 'Status', 'Actions'];
const TO_THE_RIGHT = ['Monthly Goal', 'Actions'];

interface Props {
  rows: RefObject<HTMLTableSectionElement | null>;
  watch: { onFocus: (event: FocusEvent) => void; onBlur: (event: FocusEvent) => void };
  children: ReactNode;
}

/** A table on wide screens, cards on narrow ones: the same elements, so that it is read as a table on both. */
export function UsersTable({ rows, watch, children }: Props) {
  return (
    <div className="lg:overflow-hidden lg:rounded-lg lg:border lg:border-line lg:bg-surface">
      <table
        role="table"
        aria-label="Users"
        className="w-full border-collapse text-left text-sm max-lg:block"
        {...watch}
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
                className={`px-4 py-3 whitespace-nowrap ${TO_THE_RIGHT.includes(column) ? 'text-right' : ''}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          ref={rows}
          className="lg:divide-y lg:divide-line max-lg:grid max-lg:gap-3 sm:max-lg:grid-cols-2"
        >
          {children}
        </tbody>
      </table>
    </div>
  );
}
