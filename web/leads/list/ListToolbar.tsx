import { ListFilter } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';
import { SelectField } from '#web/kit/ui/Select.tsx';
import type { ListState } from './list-state.ts';

const PAUSE_MS = 300;

const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
];

interface Props {
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  /** The id of the panel that the button shows and hides. */
  filtersId: string;
  filtersShown: boolean;
  filtersInUse: number;
  onFilters: (shown: boolean) => void;
  /** How often the filters were reset: each time, a name that is still being typed goes with them. */
  resets: number;
}

export function ListToolbar({ state, onChange, filtersId, filtersShown, filtersInUse, onFilters, resets }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <div role="search" aria-label="Leads" className="flex flex-wrap items-end gap-3">
      <NameSearch key={resets} q={state.q} onSearch={(q) => onChange({ q })} />
      <SelectField
        className="min-w-0 flex-1 sm:w-44 sm:flex-none"
        label="Sort by date"
        labelHidden
        options={SORTS}
        value={state.sort}
        onChange={({ target }) => onChange({ sort: target.value as ListState['sort'] })}
      />
      <Button
        variant="secondary"
        aria-expanded={filtersShown}
        aria-controls={filtersShown ? filtersId : undefined}
        onClick={() => onFilters(!filtersShown)}
      >
        <ListFilter aria-hidden="true" className="size-4.5" />
        {filtersShown ? 'Hide Filters' : 'Show Filters'}
        {!filtersShown && filtersInUse > 0 && (
          <span className="rounded-full bg-pine px-1.5 text-xs text-on-pine">
            {filtersInUse}
            <span className="sr-only"> in use</span>
          </span>
        )}
      </Button>
    </div>
  );
}

/** Searches once the typing pauses. */
function NameSearch({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(q);
  const [shown, setShown] = useState(q);

  // Changed from elsewhere: another address.
  if (q !== shown) {
    setShown(q);
    setTyped(q);
  }

  const search = () => {
    setShown(typed.trim());
    onSearch(typed.trim());
  };
  const searchAfterPause = useEffectEvent(search);
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(searchAfterPause, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, q]);

  return (
    <TextField
      className="min-w-0 flex-1 basis-full sm:basis-60"
      label="Search by name"
      labelHidden
      type="search"
      maxLength={200}
      placeholder="Search by business name"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={({ key }) => key === 'Enter' && search()}
    />
  );
}
