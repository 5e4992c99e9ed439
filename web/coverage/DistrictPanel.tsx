import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Viewer } from '#contract/users/user.ts';
import { formatCount, formatDate } from '#web/kit/format.ts';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { UnassignedBusinesses } from '#web/leads/adding/UnassignedBusinesses.tsx';
import { useMayAddLeads } from '#web/settings/settings.data.ts';
import { formatContacted } from './CoverageTable.tsx';
import type { DistrictRow } from './coverage-areas.ts';
import { leadsPath, searchPath } from './coverage-links.ts';
import type { CoverageState } from './coverage-state.ts';
import { formatMetric, METRIC_LABEL } from './metrics.ts';

interface Props {
  district: DistrictRow;
  state: CoverageState;
  viewer: Viewer;
  timeZone: string;
  /** Takes the focus: the district was picked, not opened by a link. */
  focused: boolean;
  onClose: () => void;
}

/** The figures of one district, with the ways to its leads and to a search. */
export function DistrictPanel({ district, state, viewer, timeZone, focused, onClose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const code = district.district;
  const mayAdd = useMayAddLeads();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading is that of another district
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused, code]);
  const figures: [label: string, value: string][] = [
    [METRIC_LABEL.known, formatCount(district.known)],
    [METRIC_LABEL.leads, formatCount(district.leads)],
    [METRIC_LABEL.contacted, formatContacted(district)],
    [METRIC_LABEL.never, formatMetric('never', district)],
    [METRIC_LABEL.won, formatCount(district.won)],
    [METRIC_LABEL.customers, formatCount(district.customers)],
    ['Last searched', district.searchedAt ? formatDate(district.searchedAt, timeZone) : 'Never'],
  ];
  return (
    <section
      aria-labelledby="district-heading"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id="district-heading" ref={heading} tabIndex={-1} className="text-lg font-semibold">
          {district.name}
        </h2>
        <IconButton icon={X} label="Close" size="sm" onClick={onClose} />
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-4">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <ButtonLink
          variant="secondary"
          href={leadsPath(viewer, { district: code, type: state.type, person: state.person })}
        >
          {state.type ? `Leads in ${code}: ${state.type}` : `Leads in ${code}`}
        </ButtonLink>
        <ButtonLink variant="secondary" href={searchPath(code, state.type)}>
          {state.type ? `Search ${state.type} in ${code}` : `Search in ${code}`}
        </ButtonLink>
      </div>
      {mayAdd && <UnassignedBusinesses district={code} type={state.type} />}
    </section>
  );
}
