import { REGIONS } from '#contract/districts/region.ts';
import { UK_DISTRICTS, type UkDistrict } from '#server/places/uk-districts.ts';

const CODE = /^([A-Z]{1,2})([0-9][A-Z0-9]?)?$/;
const splitCode = (code: string) => /^([A-Z]+)([0-9]+)(.*)$/.exec(code)?.slice(1) ?? [];

/** The districts of areas, districts and regions, each once and in order, and the texts that are none of these. */
export function resolvePlaces(places: string[]): { districts: UkDistrict[]; unknown: string[] } {
  const found = new Map<string, UkDistrict>();
  const unknown: string[] = [];
  for (const place of places) {
    const matching = findDistricts(place.trim());
    if (!matching.length) unknown.push(place);
    for (const district of matching) found.set(district.code, district);
  }
  return { districts: [...found.values()].sort(compareCodes), unknown };
}

function findDistricts(place: string): readonly UkDistrict[] {
  const region = REGIONS.find((name) => name.toLowerCase() === place.toLowerCase());
  if (region) return UK_DISTRICTS.filter((district) => district.region === region);
  const [, area, rest] = CODE.exec(place.toUpperCase()) ?? [];
  if (!area) return [];
  if (rest) return UK_DISTRICTS.filter(({ code }) => code === area + rest);
  return UK_DISTRICTS.filter(({ code }) => splitCode(code)[0] === area);
}

/** LS2 comes before LS10. */
function compareCodes(a: UkDistrict, b: UkDistrict): number {
  const [areaA = '', numberA, restA = ''] = splitCode(a.code);
  const [areaB = '', numberB, restB = ''] = splitCode(b.code);
  return areaA.localeCompare(areaB) || Number(numberA) - Number(numberB) || restA.localeCompare(restB);
}
