import { areaOf } from '#contract/districts/district.ts';
import { formatDistrictList } from '#contract/territories/district-list.ts';
import { findOverlaps, type Territory } from '#contract/territories/territory.ts';
import { formatCount } from '#web/kit/format.ts';
import { Notice } from '#web/kit/ui/Notice.tsx';

interface Props {
  territories: Territory[];
  /** The codes of all districts. */
  known: string[];
}

/** The districts of several people: allowed, but seldom meant. */
export function Overlaps({ territories, known }: Props) {
  const districts = findOverlaps(territories).map(({ district }) => district);
  if (!districts.length) return null;
  return (
    <Notice>
      {districts.length === 1 ? '1 district belongs' : `${formatCount(districts.length)} districts belong`} to several
      people: {formatDistrictList(districts, known)}. A new lead there goes to the one with fewer open leads.
    </Notice>
  );
}

/** The districts without an owner: whole areas by their letters, the others by district. */
export function Unassigned({ territories, known }: Props) {
  const owned = new Set(territories.flatMap(({ districts }) => districts));
  const free = known.filter((code) => !owned.has(code));
  if (!free.length) return null;
  const touched = new Set([...owned].map(areaOf));
  const areas = [...new Set(known.map(areaOf))].filter((area) => !touched.has(area)).sort();
  const parts = formatDistrictList(
    free.filter((code) => touched.has(areaOf(code))),
    known,
  );
  return (
    <details className="rounded-lg border border-line bg-surface px-4 py-2 text-sm">
      <summary className="min-h-11 cursor-pointer content-center font-medium sm:min-h-8">
        Without an owner: {formatCount(free.length)} {free.length === 1 ? 'district' : 'districts'}
      </summary>
      {parts && <p className="pb-2">In areas with owners: {parts}</p>}
      {areas.length > 0 && <p className="pb-2 text-muted">Whole areas: {areas.join(', ')}</p>}
    </details>
  );
}
