import { type ReactNode, useState } from 'react';
import { Switch } from '#web/kit/ui/forms/Checkbox.tsx';

interface Props {
  /** "activity by day" */
  of: string;
  /** Buttons beside the switch. */
  actions?: ReactNode;
  chart: ReactNode;
  table: (hidden: boolean) => ReactNode;
}

/** A chart for the eye, with its figures as a table: for screen readers always, on the screen at a click. Neither is printed. */
export function ChartOrTable({ of, actions, chart, table }: Props) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div className="relative flex flex-col gap-3 print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Switch label={`Show ${of} as table`} checked={asTable} onChange={({ target }) => setAsTable(target.checked)} />
        {actions}
      </div>
      {!asTable && <div aria-hidden="true">{chart}</div>}
      {table(!asTable)}
    </div>
  );
}
