import { formatCount } from '#web/kit/format.ts';
import type { Picture } from './month-picture.ts';

const COLUMNS = ['Day', 'Contacts', 'Total so far', 'Pace'];

/** The same month in numbers: for whoever hears the page, and for whoever wants them exactly. */
export function MonthTable({ picture: { monthName, days }, label }: { picture: Picture; label: string }) {
  return (
    <table aria-label={label} className="w-full border-collapse text-right text-sm tabular-nums">
      <thead className="border-b border-line text-xs text-muted">
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className="px-2 py-2 font-semibold first:pl-0 first:text-left last:pr-0">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {days.map(({ day, contacts, total, pace }) => (
          <tr key={day}>
            <th scope="row" className="py-1.5 pr-2 text-left font-normal whitespace-nowrap">
              {monthName} {day}
            </th>
            <td className="px-2 py-1.5">{formatCount(contacts)}</td>
            <td className="px-2 py-1.5 font-semibold">{formatCount(total)}</td>
            <td className="py-1.5 pl-2 text-muted">{formatCount(pace)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
