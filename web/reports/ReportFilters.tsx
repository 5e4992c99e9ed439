import { useState } from 'react';
import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import { districtOrArea } from '#contract/districts/district.ts';
import { formatOriginKey } from '#contract/leads/fields/lead-origin.ts';
import { leadSource } from '#contract/leads/lead-filter.ts';
import { PERIOD_LABEL, type ReportPeriod, reportPeriod } from '#contract/reports/period.ts';
import type { OwnUser } from '#contract/users/user.ts';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { DayField } from '#web/kit/ui/forms/DayField.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { PersonField } from '#web/leads/PersonField.tsx';
import type { ReportState } from './report-state.ts';
import { useReportOrigins, useReportTags } from './reports.data.ts';

const PERIODS = reportPeriod.options.map((value) => ({ value, label: PERIOD_LABEL[value] }));
const TYPES = [
  { value: '', label: 'All types' },
  ...[...BUSINESS_TYPES].sort((a, b) => a.localeCompare(b, 'en-GB')).map((value) => ({ value, label: value })),
];
const SOURCES = [
  { value: '', label: 'All sources' },
  { value: 'search', label: 'Search' },
  { value: 'import', label: 'Import' },
];

interface Props {
  state: ReportState;
  viewer: OwnUser;
  onChange: (change: Partial<ReportState>, options?: ChangeOptions) => void;
}

export function ReportFilters({ state, viewer, onChange }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <div role="search" aria-label="Report" className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3 xl:grid-cols-6">
      <SelectField
        label="Assigned"
        options={PERIODS}
        value={state.period}
        // The value is one of the options above.
        onChange={({ target }) => onChange({ period: target.value as ReportPeriod })}
      />
      {state.period === 'days' && (
        <>
          <DayField label="From" value={state.from} onChange={(from, options) => onChange({ from }, options)} />
          <DayField label="To" value={state.to} onChange={(to, options) => onChange({ to }, options)} />
        </>
      )}
      {viewer.role !== 'user' && (
        <PersonField viewer={viewer} person={state.person} onChange={(person) => onChange({ person })} />
      )}
      <SelectField
        label="Business type"
        options={TYPES}
        value={state.type ?? ''}
        onChange={({ target }) => onChange({ type: target.value || undefined })}
      />
      {/* A new field where the URL has another district. */}
      <DistrictField key={state.district} district={state.district} onChange={(district) => onChange({ district })} />
      <SourceField state={state} viewer={viewer} onChange={onChange} />
      <TagField tag={state.tag} viewer={viewer} onChange={(tag) => onChange({ tag })} />
    </div>
  );
}

interface DistrictProps {
  district: string | undefined;
  onChange: (district: string | undefined) => void;
}

/** Counted when the field is left or Enter is pressed, not with each letter. */
function DistrictField({ district, onChange }: DistrictProps) {
  const [text, setText] = useState(district ?? '');
  const parsed = districtOrArea.safeParse(text);
  const [left, setLeft] = useState(false);
  const apply = () => {
    setLeft(true);
    if (text.trim() === '') onChange(undefined);
    if (parsed.success) onChange(parsed.data);
  };
  return (
    <TextField
      label="District or area"
      placeholder="LS1 or LS"
      maxLength={4}
      value={text}
      error={left && text.trim() !== '' && !parsed.success ? 'Enter a district, such as LS1, or an area' : undefined}
      onChange={({ target }) => {
        setLeft(false);
        setText(target.value);
      }}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}

/** A source as it was recorded, as a value of the field; the other values are broad. */
const ORIGIN = 'origin:';

/** Whether leads were imported, or one source of them. */
function SourceField({ state, viewer, onChange }: Props) {
  const origins = useReportOrigins(viewer);
  const known = origins.data ?? [];
  const { source, origin } = state;
  const keys = origin && !known.includes(origin) ? [origin, ...known] : known;
  const change = (value: string) =>
    onChange({
      source: leadSource.options.find((each) => each === value),
      origin: value.startsWith(ORIGIN) ? value.slice(ORIGIN.length) : undefined,
    });
  return (
    <SelectField
      label="Source"
      options={[...SOURCES, ...keys.map((key) => ({ value: ORIGIN + key, label: nameOrigin(key) }))]}
      error={origins.isLoadingError ? 'Sources could not be loaded' : undefined}
      onRetry={() => void origins.refetch()}
      value={origin ? ORIGIN + origin : (source ?? '')}
      onChange={({ target }) => change(target.value)}
    />
  );
}

/** "Search" alone is the broad one: everything that was not imported. */
const nameOrigin = (key: string) => (key === 'search' ? 'Search only' : formatOriginKey(key));

interface TagProps {
  tag: string | undefined;
  viewer: OwnUser;
  onChange: (tag: string | undefined) => void;
}

function TagField({ tag, viewer, onChange }: TagProps) {
  const tags = useReportTags(viewer);
  const known = tags.data ?? [];
  const names = tag && !known.includes(tag) ? [tag, ...known] : known;
  return (
    <SelectField
      label="Tag"
      options={[{ value: '', label: 'All tags' }, ...names.map((value) => ({ value, label: value }))]}
      error={tags.isLoadingError ? 'Tags could not be loaded' : undefined}
      onRetry={() => void tags.refetch()}
      value={tag ?? ''}
      onChange={({ target }) => onChange(target.value || undefined)}
    />
  );
}
