import { formatCount } from '#web/kit/format.ts';

// So that a report of any team fits on one page.
export const GROUPS_ON_PAPER = 12;
export const PEOPLE_ON_PAPER = 6;
export const NAME_ON_PAPER = 'print:block print:w-28 print:truncate';

/** Says on paper that a table is cut off there. */
export function FirstOnPaper({ rows, of }: { rows: number; of: number }) {
  if (of <= rows) return null;
  return (
    <p className="hidden text-sm print:block">
      The first {rows} of {formatCount(of)}; all are on the screen and in the CSV file.
    </p>
  );
}
