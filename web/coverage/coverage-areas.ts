import type { CoverageFigures, DistrictCoverage } from '#contract/coverage/coverage.calls.ts';
import { AREA_NAMES } from '#contract/districts/area-names.ts';
import { areaOf } from '#contract/districts/district.ts';
import type { DistrictInfo } from '#contract/districts/districts.calls.ts';

export interface DistrictRow extends DistrictCoverage {
  /** "LS1 Leeds" */
  name: string;
}

export interface AreaRow extends CoverageFigures {
  area: string;
  /** "LS Leeds" */
  name: string;
  searchedAt: string | null;
  districts: DistrictRow[];
}

const NONE = { known: 0, leads: 0, contacted: 0, won: 0, customers: 0, searchedAt: null };

/** Every district with its figures, by area. */
export function groupByArea(districts: DistrictInfo[], coverage: DistrictCoverage[]): AreaRow[] {
  const byDistrict = new Map(coverage.map((figures) => [figures.district, figures]));
  const areas = new Map<string, AreaRow>();
  for (const { code, town } of districts) {
    const area = areaOf(code);
    const row = areas.get(area) ?? { ...NONE, area, name: `${area} ${AREA_NAMES[area]}`, districts: [] };
    const district = { ...NONE, district: code, ...byDistrict.get(code), name: `${code} ${town || AREA_NAMES[area]}` };
    areas.set(area, add(row, district));
  }
  for (const { districts: rows } of areas.values()) rows.sort((a, b) => BY_NUMBER.compare(a.district, b.district));
  return [...areas.values()];
}

/** LS2 before LS10. */
const BY_NUMBER = new Intl.Collator('en', { numeric: true });

const add = (area: AreaRow, district: DistrictRow): AreaRow => ({
  ...area,
  known: area.known + district.known,
  leads: area.leads + district.leads,
  contacted: area.contacted + district.contacted,
  won: area.won + district.won,
  customers: area.customers + district.customers,
  searchedAt: latest(area.searchedAt, district.searchedAt),
  districts: [...area.districts, district],
});

const latest = (one: string | null, other: string | null) => ((one ?? '') > (other ?? '') ? one : other);
