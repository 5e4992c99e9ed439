import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { PersonField } from '#web/leads/PersonField.tsx';
import type { CoverageState } from './coverage-state.ts';
import { METRIC_LABEL, METRICS, type Metric } from './metrics.ts';

const METRIC_OPTIONS = METRICS.map((value) => ({ value, label: METRIC_LABEL[value] }));
const TYPE_OPTIONS = [
  { value: '', label: 'All types' },
  ...[...BUSINESS_TYPES].sort((a, b) => a.localeCompare(b, 'en-GB')).map((value) => ({ value, label: value })),
];

interface Props {
  state: CoverageState;
  viewer: OwnUser;
  onChange: (change: Partial<CoverageState>) => void;
}

export function CoverageFilters({ state, viewer, onChange }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <div role="search" aria-label="Coverage" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:max-w-3xl">
      <SelectField
        className="max-sm:col-span-2"
        label="Show"
        options={METRIC_OPTIONS}
        value={state.metric}
        // The value is one of the options above.
        onChange={({ target }) => onChange({ metric: target.value as Metric })}
      />
      <SelectField
        label="Business type"
        options={TYPE_OPTIONS}
        value={state.type ?? ''}
        onChange={({ target }) => onChange({ type: target.value || undefined })}
      />
      {viewer.role !== 'user' && (
        <PersonField viewer={viewer} person={state.person} onChange={(person) => onChange({ person })} />
      )}
    </div>
  );
}
