import { Download } from 'lucide-react';
import type { ReportTable } from '#contract/reports/report-file.calls.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import type { ReportState } from './report-state.ts';
import { useSaveTable } from './reports.data.ts';

interface Props {
  table: ReportTable;
  /** What the table is called for screen readers. */
  of: string;
  state: ReportState;
  /** Where there are two beside each other. */
  label?: string;
}

/** Saves a table of the report with its filters. */
export function CsvButton({ table, of, state, label = 'CSV' }: Props) {
  const save = useSaveTable(table);
  return (
    <Button
      variant="secondary"
      size="sm"
      className="print:hidden"
      aria-label={`${label}: ${of}`}
      busy={save.isPending}
      onClick={() => save.mutate(state)}
    >
      {!save.isPending && <Download aria-hidden="true" />}
      {label}
    </Button>
  );
}
