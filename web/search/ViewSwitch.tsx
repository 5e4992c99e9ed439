import { clsx } from 'clsx';
import { LayoutGrid, Table2 } from 'lucide-react';
import type { ResultsView } from './sort-results.ts';

const VIEWS = [
  { view: 'cards', label: 'Cards', icon: LayoutGrid },
  { view: 'table', label: 'Table', icon: Table2 },
] as const;

interface Props {
  view: ResultsView['layout'];
  onView: (view: ResultsView['layout']) => void;
}

export function ViewSwitch({ view, onView }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-label="View" className="inline-flex rounded-md border border-control bg-surface p-0.5">
      {VIEWS.map(({ view: each, label, icon: Icon }) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === view}
          onClick={() => onView(each)}
          className={clsx(
            'inline-flex min-h-9.5 items-center gap-2 rounded-sm px-3 text-sm font-medium sm:min-h-8.5',
            each === view ? 'bg-pine text-on-pine' : 'hover:bg-sunken',
          )}
        >
          <Icon aria-hidden="true" className="size-4" />
          {label}
        </button>
      ))}
    </div>
  );
}
