import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { districtOrArea } from '#contract/districts/district.ts';
import { LEAD_STATUS_LABEL, type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import { MAX_TYPES } from '#contract/leads/lead-filter.ts';
import { useTypingHistoryEntry } from '#web/kit/navigation/url-state.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { DayField } from '#web/kit/ui/forms/DayField.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { useTypes } from '#web/leads/list/list.data.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import type { ChangeList } from '#web/leads/list/use-list-state.ts';
import { MultiChoice } from './MultiChoice.tsx';
import {
  ASSIGNED_PRESETS,
  CONTACT_PRESETS,
  describeMoreFilters,
  FACTS,
  FOLLOW_UP_LABEL,
  findPreset,
  type MoreFilters,
  NO_MORE_FILTERS,
  type Preset,
  SOURCE_LABEL,
  type YesOrNo,
} from './more-filters.ts';
import { OwnFieldFilters } from './OwnFieldFilters.tsx';
import { useFilterWords } from './use-filter-words.ts';

interface Props {
  filters: MoreFilters;
  onChange: ChangeList;
}

interface MoreFiltersProps {
  state: ListState;
  /** Those that can be chosen. */
  statuses: LeadStatus[];
  onChange: ChangeList;
}

const STATUS_WORDS = { one: 'status', several: 'statuses', none: '' };
const TYPE_WORDS = {
  one: 'type',
  several: 'types',
  none: 'The type of no lead is known yet.',
  search: 'Search types',
};

const toOptions = <T extends string>(any: string, labels: Record<T, string>) => [
  { value: '', label: any },
  ...Object.entries<string>(labels).map(([value, label]) => ({ value, label })),
];
const FOLLOW_UP_OPTIONS = toOptions('Planned or not', FOLLOW_UP_LABEL);
const SOURCE_OPTIONS = toOptions('Import or search', SOURCE_LABEL);

/** The filters that have no room in the panel. */
export function MoreFiltersButton({ state: filters, statuses, onChange }: MoreFiltersProps) {
  const types = useTypes(filters).data ?? [];
  const hasStatuses = filters.status.length > 1;
  const count = describeMoreFilters(filters, useFilterWords()).length + Number(hasStatuses);
  return (
    <Popover
      label="More Filters"
      size="w-80 max-w-[calc(100vw-1.5rem)] p-4 max-h-(--radix-popover-content-available-height) overflow-y-auto"
      trigger={
        <Button variant="ghost" size="sm">
          <SlidersHorizontal aria-hidden="true" />
          More Filters
          {count > 0 && (
            <span className="rounded-full bg-pine px-2 text-xs text-on-pine">
              {count}
              <span className="sr-only"> in use</span>
            </span>
          )}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <MultiChoice
          label="Statuses"
          words={STATUS_WORDS}
          max={leadStatus.options.length}
          options={statuses.map((value) => ({ value, label: LEAD_STATUS_LABEL[value] }))}
          selected={filters.status}
          onChange={(chosen) => onChange({ status: statuses.filter((status) => chosen.includes(status)) })}
        />
        <MultiChoice
          label="Type of business"
          words={TYPE_WORDS}
          max={MAX_TYPES}
          options={types.map((value) => ({ value, label: value }))}
          selected={filters.types}
          onChange={(types) => onChange({ types })}
        />
        <DaysFilter
          label="Last contact"
          presets={CONTACT_PRESETS}
          from="contactedFrom"
          to="contactedTo"
          filters={filters}
          onChange={onChange}
        />
        <DaysFilter
          label="Assigned"
          presets={ASSIGNED_PRESETS}
          from="assignedFrom"
          to="assignedTo"
          filters={filters}
          onChange={onChange}
        />
        <SelectField
          label="Next follow-up"
          options={FOLLOW_UP_OPTIONS}
          value={filters.followUp}
          // The value is one of the options above; so are those below.
          onChange={({ target }) => onChange({ followUp: target.value as MoreFilters['followUp'] })}
        />
        <div className="grid grid-cols-3 gap-2">
          {FACTS.map(([key, label]) => (
            <SelectField
              key={key}
              label={`${label[0]?.toUpperCase()}${label.slice(1)}`}
              options={YES_OR_NO}
              value={filters[key]}
              onChange={({ target }) => onChange({ [key]: target.value as YesOrNo })}
            />
          ))}
        </div>
        <SelectField
          label="Created by"
          options={SOURCE_OPTIONS}
          value={filters.source}
          onChange={({ target }) => onChange({ source: target.value as MoreFilters['source'] })}
        />
        <DistrictFilter filters={filters} onChange={onChange} />
        <OwnFieldFilters own={filters.own} onChange={(own, options) => onChange({ own }, options)} />
        <Button
          variant="secondary"
          size="sm"
          disabled={count === 0}
          onClick={() => onChange({ ...NO_MORE_FILTERS, ...(hasStatuses && { status: [] }) })}
        >
          Clear these filters
        </Button>
      </div>
    </Popover>
  );
}

const YES_OR_NO = [
  { value: '', label: 'Any' },
  { value: 'true', label: 'With' },
  { value: 'false', label: 'Without' },
];

/** Used from the first text that is a district or an area; until then the text stays in the field. */
function DistrictFilter({ filters: { district }, onChange }: Props) {
  const [typed, setTyped] = useState(district);
  const typing = useTypingHistoryEntry();
  const parsed = parseDistrict(typed);
  const change = (text: string) => {
    setTyped(text);
    const next = parseDistrict(text).data ?? '';
    if (next !== district) onChange({ district: next }, typing.next());
  };
  return (
    <TextField
      label="Postcode district or area"
      placeholder="LS1 or LS"
      // Cleared or changed elsewhere, the filter wins.
      value={(parsed.data ?? '') === district ? typed : district}
      error={typed.trim() && !parsed.success ? 'Enter a postcode district or area, such as LS1 or LS' : undefined}
      onChange={({ target }) => change(target.value)}
      onBlur={typing.end}
    />
  );
}

/** Of a whole postcode, typed with or without its space, the first part. */
const parseDistrict = (text: string) =>
  districtOrArea.safeParse(text.trim().replace(/^([a-z]{1,2}[0-9][a-z0-9]?)(\s.*|[0-9][a-z]{2})$/i, '$1'));

interface DaysProps extends Props {
  label: string;
  presets: Preset[];
  from: 'contactedFrom' | 'assignedFrom';
  to: 'contactedTo' | 'assignedTo';
}

const CHOSEN_DAYS = { value: 'days', label: 'Between two days' };

/** A common period, or two days. */
function DaysFilter({ label, presets, from, to, filters, onChange }: DaysProps) {
  const [choosing, setChoosing] = useState(false);
  const preset = findPreset(presets, filters);
  const daysShown = choosing || !preset;
  const choose = (value: string) => {
    setChoosing(value === CHOSEN_DAYS.value);
    const chosen = presets.find((preset) => preset.value === value) ?? presets[0];
    if (chosen) onChange(chosen.filters);
  };
  const dayField = (key: typeof from | typeof to, fieldLabel: string) => (
    <DayField
      label={fieldLabel}
      // A period relative to today is not a day.
      value={filters[key].endsWith('d') ? '' : filters[key]}
      onChange={(day, options) => onChange({ [key]: day }, options)}
    />
  );
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={label}
        options={[...presets, CHOSEN_DAYS]}
        value={daysShown ? CHOSEN_DAYS.value : preset.value}
        onChange={({ target }) => choose(target.value)}
      />
      {daysShown && (
        <div className="grid gap-2 sm:grid-cols-2">
          {dayField(from, 'First day')}
          {dayField(to, 'Last day')}
        </div>
      )}
    </div>
  );
}
