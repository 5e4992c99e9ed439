import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import type { ListState } from '#web/leads/list/list-state.ts';
import type { ChangeList } from '#web/leads/list/use-list-state.ts';
import { type ChosenColumn, formatColumns, parseColumns, STANDARD_COLUMNS, toChosen } from './grid-columns.ts';
import { useGridColumns } from './use-grid-columns.ts';

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const;

/** Chooses and reorders the columns of the table. */
export function ColumnsMenu({ state, onChange }: { state: ListState; onChange: ChangeList }) {
  const columns = useGridColumns();
  const chosen = parseColumns(state.columns || STANDARD_COLUMNS.join(','), columns);
  const ids = chosen.map(({ id }) => id);
  const store = (columns: ChosenColumn[]) => onChange({ columns: formatColumns(columns) || 'name' }, { replace: true });
  const toggle = (id: string) => {
    const column = columns.get(id);
    if (ids.includes(id)) store(chosen.filter((other) => other.id !== id));
    else if (column) store([...chosen, toChosen(id, column)]);
  };
  const move = (at: number, step: 1 | -1) => {
    const next = [...chosen];
    const [column] = next.splice(at, 1);
    if (column) next.splice(at + step, 0, column);
    store(next);
  };
  return (
    <Popover
      label="Columns"
      size="w-80 max-w-[calc(100vw-1.5rem)] max-h-(--radix-popover-content-available-height) overflow-y-auto p-4"
      trigger={
        <Button variant="ghost" size="sm">
          <Columns3 aria-hidden="true" />
          Columns
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <ul aria-label="Columns" className="flex flex-col">
          {[...chosen, ...[...columns].filter(([id]) => !ids.includes(id)).map(([id, column]) => toChosen(id, column))]
            .filter(({ id }) => id !== 'name')
            .map(({ id, label }) => {
              const at = ids.indexOf(id);
              return (
                <li key={id} className="flex min-h-9 items-center justify-between gap-2">
                  <Checkbox label={label} checked={at >= 0} onChange={() => toggle(id)} />
                  {at >= 0 && (
                    <span className="flex">
                      <IconButton
                        icon={ArrowUp}
                        size="sm"
                        label={`Move ${label} left`}
                        disabledReason={at === 1 ? 'The name comes first' : undefined}
                        onClick={() => move(at, -1)}
                      />
                      <IconButton
                        icon={ArrowDown}
                        size="sm"
                        label={`Move ${label} right`}
                        disabledReason={at === ids.length - 1 ? 'This is the last column' : undefined}
                        onClick={() => move(at, 1)}
                      />
                    </span>
                  )}
                </li>
              );
            })}
        </ul>
        <div>
          <SegmentedControl
            label="Density"
            options={DENSITIES}
            value={state.density}
            onValueChange={(density) =>
              onChange({ density, columns: state.columns || STANDARD_COLUMNS.join(',') }, { replace: true })
            }
          />
        </div>
        <Button
          variant="secondary"
          size="sm"
          disabled={!state.columns}
          onClick={() => onChange({ columns: '', density: 'comfortable' })}
        >
          Standard table
        </Button>
      </div>
    </Popover>
  );
}
