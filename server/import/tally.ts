import {
  type ImportResponse,
  MAX_LISTED_ERRORS,
  REASON_COLUMN,
  type RefusedRow,
} from '#contract/import/import.calls.ts';

const ROWS_KEPT = 1_000;
const TEXT_KEPT = 1024 * 1024;

export type Tally = ReturnType<typeof createTally>;

/** What has come of the rows so far. It holds a bounded number of them, however many fail. */
export function createTally(header: string[]) {
  const counts = { successful: 0, failed: 0, created: 0 };
  const errors: string[] = [];
  const kept: RefusedRow[] = [];
  let text = 0;
  const shown = header.map((_, at) => at).filter((at) => header[at]?.trim() !== REASON_COLUMN);

  function refuse({ row, reason, cells }: RefusedRow) {
    counts.failed += 1;
    if (errors.length < MAX_LISTED_ERRORS) errors.push(`Row ${row}: ${reason}`);
    const rest = shown.map((at) => cells[at] ?? '');
    text += rest.reduce((sum, cell) => sum + cell.length, reason.length);
    if (kept.length < ROWS_KEPT && text < TEXT_KEPT) kept.push({ row, reason, cells: rest });
  }

  return {
    counts,
    /** The outcome of a batch that is committed. */
    add(successful: number, created: number, refused: RefusedRow[]) {
      counts.successful += successful;
      counts.created += created;
      for (const each of refused.toSorted((a, b) => a.row - b.row)) refuse(each);
    },
    response(message: string): ImportResponse {
      const { successful, failed, created } = counts;
      const more = failed - errors.length;
      return {
        message,
        importResults: {
          total: successful + failed,
          successful,
          failed,
          errors: more > 0 ? [...errors, `and ${more.toLocaleString('en-US')} more`] : [...errors],
        },
        alreadyThere: successful - created,
        refused: { columns: shown.map((at) => header[at] ?? ''), rows: kept, leftOut: failed - kept.length },
      };
    },
  };
}
