// biome-ignore-all lint/a11y/noRedundantRoles: Safari forgets what a table is when its rows are laid out as cards
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import type { LeadsProps } from './LeadCards.tsx';
import { LeadRow } from './LeadRow.tsx';

const COLUMNS = ['Business Name', 'Assigned To', 'Status', 'Date Assigned', 'Actions'];

interface Props extends LeadsProps {
  timeZone: string | undefined;
}

/** A table on wide screens, cards on narrow ones: the same elements, so that it is read as a table on both. */
export function LeadTable({ items, selection, highlighted, timeZone }: Props) {
  return (
    <div className="md:overflow-hidden md:rounded-lg md:border md:border-line md:bg-surface">
      <table role="table" aria-label="Leads" className="w-full border-collapse text-left text-sm max-md:block">
        <thead
          role="rowgroup"
          className="border-b border-line bg-paper text-xs font-semibold text-muted max-md:mb-3 max-md:block max-md:border-0"
        >
          <tr role="row" className="max-md:block">
            <th
              role="columnheader"
              scope="col"
              className="w-10 py-3 pl-4 max-md:block max-md:w-auto max-md:p-0 max-md:pl-4"
            >
              <Checkbox
                label="Select all on this page"
                labelHidden
                checked={selection.state === 'all'}
                indeterminate={selection.state === 'some'}
                onChange={selection.toggleAll}
              />
              <span aria-hidden="true" className="ml-2 text-sm font-normal md:hidden">
                Select all on this page
              </span>
            </th>
            {COLUMNS.map((column) => (
              <th
                key={column}
                role="columnheader"
                scope="col"
                className="px-4 py-3 whitespace-nowrap last:text-right max-md:sr-only"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="md:divide-y md:divide-line max-md:grid max-md:gap-3">
          {items.map((item) => (
            <LeadRow
              key={item.userBusiness.id}
              item={item}
              timeZone={timeZone}
              selected={selection.ids.has(item.userBusiness.id)}
              onSelect={() => selection.toggle(item.userBusiness.id)}
              highlighted={item.userBusiness.uuid === highlighted}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
