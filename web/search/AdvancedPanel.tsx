import { MAX_RESULTS_INPUT, RADIUS_MILES } from '#contract/search/radius.ts';
import { SORT_BY_LABEL, sortBy } from '#contract/search/search.ts';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import type { FormErrors, SearchForm } from './search-form.ts';

const SORTS = sortBy.options.map((value) => ({ value, label: SORT_BY_LABEL[value] }));

interface Props {
  id: string;
  form: SearchForm;
  errors: FormErrors;
  onChange: (change: Partial<SearchForm>) => void;
}

export function AdvancedPanel({ id, form, errors, onChange }: Props) {
  return (
    <fieldset
      id={id}
      aria-label="More about the search"
      className="grid min-w-0 items-start gap-x-4 gap-y-5 rounded-md border border-line bg-paper p-4 sm:grid-cols-2 max-md:order-2 md:col-span-3 lg:grid-cols-4"
    >
      <TextField
        label="Search Radius (miles)"
        name="radiusMiles"
        type="number"
        inputMode="decimal"
        min={RADIUS_MILES.min}
        max={RADIUS_MILES.max}
        step="any"
        hint={`From ${RADIUS_MILES.min} to ${RADIUS_MILES.max} miles`}
        value={form.radiusMiles}
        error={errors.radiusMiles}
        onChange={({ target }) => onChange({ radiusMiles: target.value })}
      />
      <TextField
        label="Max Results"
        name="maxResults"
        type="number"
        inputMode="numeric"
        min={MAX_RESULTS_INPUT.min}
        max={MAX_RESULTS_INPUT.max}
        hint="20 or fewer results reduces API usage"
        value={form.maxResults}
        error={errors.maxResults}
        onChange={({ target }) => onChange({ maxResults: target.value })}
      />
      <SelectField
        label="Sort Results By"
        options={SORTS}
        value={form.sortBy}
        onChange={({ target }) => onChange({ sortBy: sortBy.parse(target.value) })}
      />
      <TextField
        label="Additional Keyword (optional)"
        name="keyword"
        maxLength={200}
        hint="Use to narrow results, e.g. pizza, 24 hours"
        value={form.keyword}
        error={errors.keyword}
        onChange={({ target }) => onChange({ keyword: target.value })}
      />
    </fieldset>
  );
}
