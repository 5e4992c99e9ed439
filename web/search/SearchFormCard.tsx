import { clsx } from 'clsx';
import { ChevronDown, Search as SearchIcon } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import { SEARCH_METHOD_HINT, SEARCH_METHOD_LABEL, searchMethod } from '#contract/search/search.ts';
import { MAX_BUSINESS_TYPES, MAX_LOCATIONS } from '#contract/search/suggestions.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { AdvancedPanel } from './AdvancedPanel.tsx';
import { SuggestField } from './SuggestField.tsx';
import { type FormErrors, parseForm, type SearchForm } from './search-form.ts';

const businessTypes = async () => BUSINESS_TYPES;
const places = async () => (await import('#contract/search/uk-places.ts')).UK_PLACES.map(({ name }) => name);

interface Props {
  /** The last submitted form; it replaces the fields when Back or a link changes it. */
  submitted: SearchForm;
  busy: boolean;
  onSearch: (form: SearchForm) => void;
}

export function SearchFormCard({ submitted, busy, onSearch }: Props) {
  const [form, setForm] = useState(submitted);
  const [lastSubmitted, setLastSubmitted] = useState(submitted);
  const [errors, setErrors] = useState<FormErrors>({});
  const [advanced, setAdvanced] = useState(false);
  const panelId = useId();
  const element = useRef<HTMLFormElement>(null);

  if (submitted !== lastSubmitted) {
    setLastSubmitted(submitted);
    // Back may undo a view or a page only: what was typed since the search stays.
    if (JSON.stringify(submitted) !== JSON.stringify(lastSubmitted)) setForm(submitted);
  }

  const update = (change: Partial<SearchForm>) => {
    const next = { ...form, ...change };
    setForm(next);
    // A field with an error is revalidated on every change; the others on submit.
    if (Object.keys(errors).length === 0) return;
    const parsed = parseForm(next);
    const remaining = 'errors' in parsed ? parsed.errors : {};
    setErrors(Object.fromEntries(Object.entries(remaining).filter(([name]) => errors[name as keyof SearchForm])));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const parsed = parseForm(form);
    if ('search' in parsed) {
      setErrors({});
      return onSearch(form);
    }
    setErrors(parsed.errors);
    if (parsed.errors.radiusMiles || parsed.errors.maxResults || parsed.errors.keyword) setAdvanced(true);
    const first = [...(element.current?.elements ?? [])].find(
      (control) => parsed.errors[(control as HTMLInputElement).name as keyof SearchForm],
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
        {/* On a wide screen no controls are below the fields, where their suggestions open. */}
        <div className="contents items-end justify-between gap-x-8 md:col-span-3 md:flex">
          <MethodChoice value={form.searchMethod} onValueChange={(method) => update({ searchMethod: method })} />
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2 max-md:order-1">
            <Checkbox
              label="Open Now"
              checked={form.openNow}
              onChange={({ target }) => update({ openNow: target.checked })}
            />
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={advanced}
              aria-controls={advanced ? panelId : undefined}
              onClick={() => {
                setAdvanced(!advanced);
                update({ advancedUsed: true });
              }}
            >
              Advanced
              <ChevronDown aria-hidden="true" className={clsx('transition-transform', advanced && 'rotate-180')} />
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
          onChange={(businessType) => update({ businessType })}
        />
        <SuggestField
          label="Location"
          name="location"
          placeholder="Town, county or postcode"
          value={form.location}
          error={errors.location}
          load={places}
          maxSuggestions={MAX_LOCATIONS}
          onChange={(location) => update({ location })}
        />
        {/* In line with the fields, below their labels; last on a narrow screen. */}
        <div className="flex flex-col max-md:order-3 md:pt-6">
          <Button type="submit" busy={busy} className="md:min-w-28">
            {!busy && <SearchIcon aria-hidden="true" />}
            Search
          </Button>
        </div>
        {advanced && <AdvancedPanel id={panelId} form={form} errors={errors} onChange={update} />}
      </form>
    </Card>
  );
}

interface MethodProps {
  value: SearchForm['searchMethod'];
  onValueChange: (method: SearchForm['searchMethod']) => void;
}

function MethodChoice({ value, onValueChange }: MethodProps) {
  const hintId = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">Search Method</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {searchMethod.options.map((method) => (
          <div key={method}>
            <label className="inline-flex min-h-11 items-center gap-2 text-sm sm:min-h-6">
              <input
                type="radio"
                name="searchMethod"
                value={method}
                checked={method === value}
                aria-describedby={`${hintId}-${method}`}
                onChange={() => onValueChange(method)}
                className="size-5 shrink-0"
              />
              {SEARCH_METHOD_LABEL[method]}
            </label>
            <p id={`${hintId}-${method}`} className="pl-7 text-xs text-muted max-sm:-mt-2">
              {SEARCH_METHOD_HINT[method]}
            </p>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
