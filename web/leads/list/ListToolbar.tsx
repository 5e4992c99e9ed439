import { ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import { type BuiltInSort, LEAD_SORTS, type LeadSort } from '#contract/leads/lead-filter.ts';
import { FIELD_TYPES } from '#contract/leads/own-fields/field-types.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { parseOwnSort, toOwnSorts } from '#contract/leads/own-fields/own-filter.ts';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { TabList } from '#web/kit/ui/Tabs.tsx';
import { useTypedText } from '#web/leads/list/filters/use-typed-text.ts';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import type { ListState, View } from './list-state.ts';
import type { ChangeList } from './use-list-state.ts';

// Record, so that an order without a label does not compile.
const SORT_LABEL: Record<BuiltInSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name A to Z',
  'name-desc': 'Name Z to A',
  town: 'Town A to Z',
  'town-desc': 'Town Z to A',
  status: 'Status, first to last',
  'status-desc': 'Status, last to first',
  'last-contact': 'Last contact: longest ago',
  'last-contact-desc': 'Last contact: most recent',
  'follow-up': 'Follow-up: soonest',
  'follow-up-desc': 'Follow-up: latest',
};
const SORTS = LEAD_SORTS.map((value) => ({ value, label: SORT_LABEL[value] }));

/** By the fields that the table has, and by the one that is in use. */
const listOwnOrders = (fields: OwnField[], current: LeadSort) =>
  fields
    .filter(({ id, inTable, archived }) => (inTable && !archived) || parseOwnSort(current)?.fieldId === id)
    .flatMap(({ id, name, type, archived }) =>
      toOwnSorts(id).map((value, nth) => ({
        value,
        label: `${name}${archived ? ' (archived)' : ''}: ${FIELD_TYPES[type].order.names[nth]}`,
      })),
    );

const VIEW_TABS: { value: View; label: string }[] = [
  { value: 'list', label: 'List' },
  { value: 'table', label: 'Table' },
  { value: 'map', label: 'Map' },
  { value: 'board', label: 'Board' },
];

interface Props {
  state: ListState;
  onChange: ChangeList;
  /** The id of the filter panel. */
  filtersId: string;
  filtersShown: boolean;
  filterCount: number;
  onFiltersShown: (shown: boolean) => void;
  /** The number of resets: each one discards a name that is still being typed. */
  resets: number;
  /** Undefined until the views are loaded. */
  viewsMenu: ReactNode;
}

export function ListToolbar(props: Props) {
  const { state, onChange, filtersId, filtersShown, filterCount, onFiltersShown, resets, viewsMenu } = props;
  const fields = useOwnFields();
  return (
    <div className="flex flex-wrap items-center gap-2 md:gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: browsers from 2022 lack <search> */}
      <div role="search" aria-label="Leads" className="contents">
        <NameSearch key={resets} q={state.q} onSearch={(q, options) => onChange({ q }, options)} />
        <Button
          variant="secondary"
          aria-expanded={filtersShown}
          aria-controls={filtersShown ? filtersId : undefined}
          onClick={() => onFiltersShown(!filtersShown)}
        >
          <ListFilter aria-hidden="true" />
          <span className="max-md:sr-only">{filtersShown ? 'Hide Filters' : 'Show Filters'}</span>
          {!filtersShown && filterCount > 0 && (
            <span className="rounded-full bg-pine px-2 text-xs text-on-pine">
              {filterCount}
              <span className="sr-only"> in use</span>
            </span>
          )}
        </Button>
        {viewsMenu}
        <SelectField
          className="min-w-36 flex-1 max-md:order-last md:w-52 md:flex-none"
          label="Sort by date"
          labelHidden
          options={[...SORTS, ...listOwnOrders(fields, state.sort)]}
          value={state.sort}
          onChange={({ target }) => onChange({ sort: target.value as LeadSort })}
        />
      </div>
      <TabList label="View" tabs={VIEW_TABS} />
    </div>
  );
}

/** Searches when the user stops typing. */
function NameSearch({ q, onSearch }: { q: string; onSearch: (q: string, options: ChangeOptions) => void }) {
  const { text, setText, settle, end } = useTypedText(q, (typed) => typed.trim(), onSearch);
  return (
    <TextField
      className="min-w-0 grow basis-[calc(100%-8rem)] md:basis-60"
      label="Search by name"
      labelHidden
      type="search"
      maxLength={200}
      placeholder="Search by name, phone, postcode, contact or note"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={end}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
    />
  );
}
