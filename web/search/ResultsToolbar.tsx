import { LayoutGrid, Table2, UserRoundPlus } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import type { BusinessResult } from '#contract/search/search.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import type { Selection } from '#web/kit/selection.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox, Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import type { ResultsView } from './results-view.ts';
import { SortPicker } from './SortPicker.tsx';
import type { Search } from './search-form.ts';

const LAYOUTS = [
  { value: 'cards', label: 'Cards', icon: LayoutGrid },
  { value: 'table', label: 'Table', icon: Table2 },
] as const;

interface Props {
  heading: RefObject<HTMLHeadingElement | null>;
  total: number;
  view: ResultsView;
  onViewChange: (change: Partial<ResultsView>) => void;
  selection: Selection<string>;
  /** The actions on the selection, while nothing is selected. */
  actions: ReactNode;
}

export function ResultsToolbar({ heading, total, view, onViewChange, selection, actions }: Props) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold">
          Results <span className="text-base font-normal text-muted">({formatCount(total)} found)</span>
        </h2>
        <div className="flex flex-wrap items-center gap-3">
          {/* A table is sorted by its column headers. */}
          {view.layout === 'cards' && <SortPicker sort={view.sort} onSort={(sort) => onViewChange({ sort })} />}
          <SegmentedControl
            label="View"
            options={LAYOUTS}
            value={view.layout}
            onValueChange={(layout) => onViewChange({ layout })}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-2">
        <Checkbox
          label="Select All"
          checked={selection.state === 'all'}
          indeterminate={selection.state === 'some'}
          onChange={selection.toggleAll}
        />
        <p role="status" className="sr-only">
          {selection.ids.size > 0 && `Businesses selected: ${selection.ids.size}`}
        </p>
        <Switch
          label="Hide businesses that are already leads"
          checked={view.hideLeads}
          onChange={({ target }) => onViewChange({ hideLeads: target.checked })}
        />
        {/* Keeps its room while the actions are in the bar: selecting moves nothing. */}
        <div className="flex min-h-9 flex-wrap gap-2 max-sm:w-full sm:ml-auto">{actions}</div>
      </div>
    </div>
  );
}

interface ActionsProps {
  search: Search;
  selected: BusinessResult[];
  onAssign: () => void;
}

/** In the toolbar while nothing is selected, else in the bar that floats above the results. */
export function ResultActions({ search, selected, onAssign }: ActionsProps) {
  const mayAssign = useViewer().role === 'admin';
  return (
    <>
      {mayAssign && (
        <Button size="sm" disabled={selected.length === 0} onClick={onAssign}>
          <UserRoundPlus aria-hidden="true" />
          Assign to User
        </Button>
      )}
      <ExportMenu search={search} placeIds={selected.map(({ placeId }) => placeId)} />
    </>
  );
}
