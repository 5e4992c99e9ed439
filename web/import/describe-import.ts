import { DUPLICATE_REASON_LABEL } from '#contract/duplicates/duplicate.ts';
import type { ImportJob, ImportState, LookAlike } from '#contract/import/import-job.ts';
import { formatTarget, type ImportTarget } from '#contract/import/import-target.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { formatCount } from '#web/kit/format.ts';
import type { Tone } from '#web/kit/ui/Badge.tsx';

export const STATE_LABEL: Record<ImportState, string> = {
  uploading: 'Uploading',
  mapping: 'Waits for its columns',
  checking: 'Checking',
  checked: 'Waits for your decision',
  running: 'Importing',
  done: 'Done',
  cancelled: 'Cancelled',
  stopped: 'Stopped',
};

export const STATE_TONE: Record<ImportState, Tone> = {
  uploading: 'info',
  mapping: 'warn',
  checking: 'info',
  checked: 'warn',
  running: 'info',
  done: 'good',
  cancelled: 'neutral',
  stopped: 'danger',
};

/** A target has the name of its column. */
export const labelTarget = (target: ImportTarget, fields: readonly OwnField[] = []): string =>
  target === 'Note' ? 'Keep as note' : formatTarget(target, fields);

type Described = Pick<ImportJob, 'state' | 'progress' | 'counts'>;

/** "3,500 of about 10,000 rows", "2 new leads of 3 rows"; without the number of all rows where not all were read. */
export function describeProgress({ state, progress, counts }: Described): string {
  if (state === 'uploading') return `${Math.floor(progress.share * 100)}% of the file`;
  if (state === 'checking' || state === 'running') return formatRowsRead(progress);
  if (counts.total === 0) return '';
  if (state !== 'done') return `${formatRows(counts.successful)} imported`;
  return `${counts.created === 1 ? '1 new lead' : `${formatCount(counts.created)} new leads`} of ${formatRows(counts.total)}`;
}

/** The rows of the whole file are known once all were read; until then they follow from the share. */
function formatRowsRead({ share, rows }: ImportJob['progress']): string {
  if (share >= 1) return formatRows(rows);
  if (share <= 0 || rows === 0) return `${formatRows(rows)} so far`;
  return `${formatCount(rows)} of about ${formatRows(roundToTwoDigits(rows / share))}`;
}

export const formatRows = (count: number) => (count === 1 ? '1 row' : `${formatCount(count)} rows`);

function roundToTwoDigits(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.round(count / unit) * unit;
}

/** "Row 12: Blue Door Bakery looks like Blue Door Bakery Ltd in Harrogate: same phone. Priya Shah works it, Negotiation." */
export function describeLookAlike({ row, name, match, holder }: LookAlike): string {
  const place = match.town ? ` in ${match.town}` : '';
  const reasons = match.reasons.map((reason) => DUPLICATE_REASON_LABEL[reason].toLowerCase()).join(', ');
  const other = match.row === null ? match.name : `row ${match.row}, ${match.name}`;
  const likeness = reasons ? `looks like ${other}${place}: ${reasons}` : 'has the same name and address';
  const others = holder?.others ? ` and ${holder.others} more` : '';
  const held = holder ? `. ${holder.name}${others} works it, ${LEAD_STATUS_LABEL[holder.status]}` : '';
  return `Row ${row}: ${name} ${likeness}${held}`;
}
