import { ListFilter } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';
import { SelectField } from '#web/kit/ui/Select.tsx';
import type { ListState } from './list-state.ts';

const DEBOUNCE_MS = 300;

const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
];

interface Props {
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  /** The id of the filter panel. */
  filtersId: string;
  filtersShown: boolean;
  filterCount: number;
  onFiltersShown: (shown: boolean) => void;
  /** The number of resets: each one discards a name that is still being typed. */
  resets: number;
}

export function ListToolbar(props: Props) {
  const { state, onChange, filtersId, filtersShown, filterCount, onFiltersShown, resets } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers from 2022 lack <search>
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
        onClick={() => onFiltersShown(!filtersShown)}
      >
        <ListFilter aria-hidden="true" />
        {filtersShown ? 'Hide Filters' : 'Show Filters'}
        {!filtersShown && filterCount > 0 && (
          <span className="rounded-full bg-pine px-2 text-xs text-on-pine">
            {filterCount}
            <span className="sr-only"> in use</span>
          </span>
        )}
      </Button>
    </div>
  );
}

/** Searches when the user stops typing. */
function NameSearch({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [text, setText] = useState(q);
  const [lastQ, setLastQ] = useState(q);

  // The query was changed from outside, by the URL: it replaces the text.
  if (q !== lastQ) {
    setLastQ(q);
    setText(q);
  }

  const search = () => {
    setLastQ(text.trim());
    onSearch(text.trim());
  };
  const searchDebounced = useEffectEvent(search);
  useEffect(() => {
    if (text.trim() === q) return;
    const timer = setTimeout(searchDebounced, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, q]);

  return (
    <TextField
      className="min-w-0 flex-1 basis-full sm:basis-60"
      label="Search by name"
      labelHidden
      type="search"
      maxLength={200}
      placeholder="Search by business name"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key }) => key === 'Enter' && search()}
    />
  );
}
