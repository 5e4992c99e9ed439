import { useCallback, useMemo } from 'react';
import { areaOf } from '#contract/districts/district.ts';
import type { DistrictInfo } from '#contract/districts/districts.calls.ts';
import { findOwners, type Territory } from '#contract/territories/territory.ts';
import { DistrictMap } from '#web/districts/DistrictMap.tsx';
import type { MapLabel } from '#web/kit/map/map-labels.ts';
import { type PersonMark, SHARED_COLOUR } from './person-marks.ts';

interface Props {
  districts: DistrictInfo[];
  territories: Territory[];
  marks: ReadonlyMap<number, PersonMark>;
  chosenId: number | undefined;
  /** Said of a district of none of these people. */
  withoutOwner: string;
  selected: string | undefined;
  onSelect: (code: string) => void;
}

/** The districts in the colours of their owners, with initials. The territory of the chosen person stands out. */
export function TerritoryMap({ districts, territories, marks, chosenId, withoutOwner, selected, onSelect }: Props) {
  const owners = useMemo(() => findOwners(territories), [territories]);
  const names = useMemo(() => new Map(territories.map(({ userId, fullName }) => [userId, fullName])), [territories]);
  const towns = useMemo(() => new Map(districts.map(({ code, town }) => [code, town])), [districts]);
  const labels = useMemo(() => labelTerritories(districts, territories, marks), [districts, territories, marks]);
  // Only where another person is chosen: the map stays where it is while districts are added.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said above
  const shown = useMemo(() => listShown(territories, chosenId), [chosenId]);

  const fill = useCallback(
    (code: string) => {
      const ids = owners.get(code) ?? [];
      if (!ids.length) return undefined;
      const colour = ids.length > 1 ? SHARED_COLOUR : marks.get(ids[0] ?? 0)?.colour;
      const standsBack = chosenId !== undefined && !ids.includes(chosenId);
      return standsBack ? `color-mix(in srgb, ${colour} 35%, var(--color-surface))` : colour;
    },
    [owners, marks, chosenId],
  );
  const describe = useCallback(
    (code: string) => {
      const ids = owners.get(code) ?? [];
      const people = ids.map((id) => names.get(id)).join(', ') || withoutOwner;
      return `${[code, towns.get(code)].filter(Boolean).join(' ')}: ${people}`;
    },
    [owners, names, towns, withoutOwner],
  );

  return (
    <div className="relative h-[60dvh] min-w-0 lg:sticky lg:top-20 lg:h-[min(44rem,calc(100dvh-6rem))] lg:self-start">
      <DistrictMap
        label="Map of territories"
        districts={districts}
        fill={fill}
        describe={describe}
        labels={labels}
        selected={selected}
        onSelect={onSelect}
        shown={shown}
      />
    </div>
  );
}

/** The districts of the chosen person, or of all. */
const listShown = (territories: Territory[], chosenId: number | undefined) =>
  territories
    .filter(({ userId }) => chosenId === undefined || userId === chosenId)
    .flatMap(({ districts }) => districts);

/** The initials of each person in the middle of what they have in a postcode area, the largest part first. */
function labelTerritories(
  districts: DistrictInfo[],
  territories: Territory[],
  marks: ReadonlyMap<number, PersonMark>,
): MapLabel[] {
  const centres = new Map(districts.map((district) => [district.code, district]));
  const labels = territories.flatMap(({ userId, districts: codes }) => {
    const byArea = new Map<string, DistrictInfo[]>();
    for (const centre of codes.flatMap((code) => centres.get(code) ?? [])) {
      const area = areaOf(centre.code);
      byArea.set(area, [...(byArea.get(area) ?? []), centre]);
    }
    return [...byArea.values()].map((group) => ({ text: marks.get(userId)?.initials ?? '', group }));
  });
  return labels
    .sort((a, b) => b.group.length - a.group.length)
    .map(({ text, group }) => ({ text, ...findMiddle(group) }));
}

/** The centre that is nearest to the mean, so that the label is on one of the districts. */
function findMiddle(group: DistrictInfo[]): { latitude: number; longitude: number } {
  const latitude = group.reduce((sum, each) => sum + each.latitude, 0) / group.length;
  const longitude = group.reduce((sum, each) => sum + each.longitude, 0) / group.length;
  const distance = (each: DistrictInfo) => Math.hypot(each.latitude - latitude, (each.longitude - longitude) * 0.6);
  return group.reduce((nearest, each) => (distance(each) < distance(nearest) ? each : nearest));
}
