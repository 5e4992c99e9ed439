import { type FormEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import { REGIONS } from '#contract/districts/region.ts';
import { MAX_BUSINESS_TYPES, suggest } from '#contract/search/suggestions.ts';
import { ApiError } from '#web/kit/api.ts';
import { useDebounced } from '#web/kit/debounce.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Combobox } from '#web/kit/ui/forms/Combobox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Estimate } from './Estimate.tsx';
import {
  addPlace,
  parseSweepForm,
  type SweepForm,
  type SweepFormErrors,
  splitPlaces,
  useSweepForm,
} from './sweep-form.ts';
import { useStartSweep } from './sweeps.data.ts';

const REGION_OPTIONS = REGIONS.map((name) => ({ value: name, label: name }));
const DEBOUNCE_MS = 400;

/** The form that starts a sweep, with what it will cost beside it. */
export function SweepFormCard() {
  const [form, change] = useSweepForm();
  const [errors, setErrors] = useState<SweepFormErrors>({});
  const [, navigate] = useLocation();
  const start = useStartSweep();
  const element = useRef<HTMLFormElement>(null);
  const estimated = useDebounced(form.places, DEBOUNCE_MS);

  const update = (next: Partial<SweepForm>) => {
    change(next);
    // A field with an error is validated again on every change; the others on submit.
    const remaining = parseSweepForm({ ...form, ...next }).errors ?? {};
    setErrors(Object.fromEntries(Object.entries(remaining).filter(([name]) => errors[name as keyof SweepForm])));
  };

  const showErrors = (next: SweepFormErrors) => {
    setErrors(next);
    const first = [...(element.current?.elements ?? [])].find(
      (control) => next[(control as HTMLInputElement).name as keyof SweepForm],
    );
    if (first instanceof HTMLElement) first.focus();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (start.isPending) return;
    const parsed = parseSweepForm(form);
    if (parsed.errors) return showErrors(parsed.errors);
    setErrors({});
    start.mutate(parsed.sweep, {
      onSuccess: ({ id }) => navigate(`/sweeps/${id}`),
      onError: (error) => {
        const refused = error instanceof ApiError ? error.errors : [];
        showErrors(Object.fromEntries(refused.map(({ path, message }) => [path, message])));
      },
    });
  };

  return (
    <Card className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <form
        ref={element}
        noValidate
        aria-label="New sweep"
        onSubmit={submit}
        className="grid content-start gap-4 sm:grid-cols-2"
      >
        <Combobox
          label="Business Type"
          name="businessType"
          placeholder="e.g. hairdresser"
          maxLength={200}
          value={form.businessType}
          error={errors.businessType}
          suggestions={suggest(BUSINESS_TYPES, form.businessType, MAX_BUSINESS_TYPES)}
          onChange={(businessType) => update({ businessType })}
        />
        <TextField
          label="Keyword (optional)"
          name="keyword"
          maxLength={200}
          value={form.keyword}
          error={errors.keyword}
          onChange={({ target }) => update({ keyword: target.value })}
        />
        <TextField
          label="Districts"
          name="places"
          placeholder="e.g. WF, LS1"
          hint="Postcode areas (LS), districts (LS1) or regions, separated by commas."
          value={form.places}
          error={errors.places}
          onChange={({ target }) => update({ places: target.value })}
        />
        <SelectField
          label="Add a region"
          placeholder="Choose a region"
          options={REGION_OPTIONS}
          value=""
          onChange={({ target }) => update({ places: addPlace(form.places, target.value) })}
        />
        <div className="sm:col-span-2">
          <Button type="submit" busy={start.isPending} className="max-sm:w-full">
            Start Sweep
          </Button>
        </div>
      </form>
      <Estimate places={splitPlaces(estimated)} />
    </Card>
  );
}
