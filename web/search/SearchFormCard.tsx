import { clsx } from 'clsx';
import { ChevronDown, Search as SearchIcon } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { SEARCH_METHOD_LABEL, searchMethod } from '#contract/search/search.ts';
import { MAX_BUSINESS_TYPES, MAX_LOCATIONS } from '#contract/search/suggestions.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import { AdvancedPanel } from './AdvancedPanel.tsx';
import { SuggestField } from './SuggestField.tsx';
import { type FormErrors, readForm, type Search, type SearchForm } from './search-form.ts';

const businessTypes = async () => (await import('#contract/search/business-types.ts')).BUSINESS_TYPES;
const places = async () => (await import('#contract/search/uk-places.ts')).UK_PLACES.map(({ name }) => name);

interface Props {
  initial: SearchForm;
  busy: boolean;
  onSearch: (form: SearchForm, search: Search) => void;
}

export function SearchFormCard({ initial, busy, onSearch }: Props) {
  const [form, setForm] = useState(initial);
  const [errors, setErrors] = useState<FormErrors>({});
  const [advanced, setAdvanced] = useState(false);
  const panelId = useId();
  const element = useRef<HTMLFormElement>(null);

  const put = (change: Partial<SearchForm>) => {
    const next = { ...form, ...change };
    setForm(next);
    // A mistake is judged again while it is mended; nothing else is complained about before it is sent.
    if (Object.keys(errors).length === 0) return;
    const read = readForm(next);
    const left = 'errors' in read ? read.errors : {};
    setErrors(Object.fromEntries(Object.entries(left).filter(([name]) => errors[name as keyof SearchForm])));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = readForm(form);
    if ('search' in read) {
      setErrors({});
      return onSearch(form, read.search);
    }
    setErrors(read.errors);
    if (read.errors.radiusMiles || read.errors.maxResults || read.errors.keyword) setAdvanced(true);
    const first = [...(element.current?.elements ?? [])].find(
      (control) => read.errors[(control as HTMLInputElement).name as keyof SearchForm],
    );
    if (first instanceof HTMLElement) first.focus();
  };

  return (
    <Card>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search> */}
      <form
        ref={element}
        noValidate
        role="search"
        aria-label="Businesses"
        onSubmit={submit}
        className="grid gap-x-4 gap-y-5 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        {/* Nothing to press lies below the fields on a wide screen, where their suggestions open. */}
        <div className="contents items-end justify-between gap-x-8 md:col-span-3 md:flex">
          <MethodChoice value={form.searchMethod} onPick={(method) => put({ searchMethod: method })} />
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2 max-md:order-1">
            <Checkbox
              label="Open Now"
              checked={form.openNow}
              onChange={({ target }) => put({ openNow: target.checked })}
            />
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={advanced}
              aria-controls={advanced ? panelId : undefined}
              onClick={() => {
                setAdvanced(!advanced);
                put({ advancedUsed: true });
              }}
            >
              Advanced
              <ChevronDown
                aria-hidden="true"
                className={clsx('size-4 transition-transform', advanced && 'rotate-180')}
              />
            </Button>
          </div>
        </div>
        <SuggestField
          label="Business Type"
          name="businessType"
          placeholder="e.g. bakery"
          value={form.businessType}
          error={errors.businessType}
          load={businessTypes}
          maxSuggestions={MAX_BUSINESS_TYPES}
          onChange={(businessType) => put({ businessType })}
        />
        <SuggestField
          label="Location"
          name="location"
          placeholder="Town, county or postcode"
          value={form.location}
          error={errors.location}
          load={places}
          maxSuggestions={MAX_LOCATIONS}
          onChange={(location) => put({ location })}
        />
        {/* As far down as the fields' labels reach. On narrow screens it is the last thing, below all it depends on. */}
        <div className="flex flex-col max-md:order-3 md:pt-6.5">
          <Button type="submit" busy={busy} className="md:min-w-28">
            {!busy && <SearchIcon aria-hidden="true" className="size-4" />}
            Search
          </Button>
        </div>
        {advanced && <AdvancedPanel id={panelId} form={form} errors={errors} onChange={put} />}
      </form>
    </Card>
  );
}

interface MethodProps {
  value: SearchForm['searchMethod'];
  onPick: (method: SearchForm['searchMethod']) => void;
}

function MethodChoice({ value, onPick }: MethodProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Search Method</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {searchMethod.options.map((method) => (
          <label key={method} className="inline-flex min-h-6 items-center gap-2 text-sm">
            <input
              type="radio"
              name="searchMethod"
              value={method}
              checked={method === value}
              onChange={() => onPick(method)}
              className="size-4.5 shrink-0"
            />
            {SEARCH_METHOD_LABEL[method]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
