import { areaOf } from '../districts/district.ts';

/** LS2 before LS10, EC1 before EC1A. */
export function compareDistricts(one: string, other: string): number {
  const [a, b] = [split(one), split(other)];
  return a.area.localeCompare(b.area) || a.number - b.number || a.suffix.localeCompare(b.suffix);
}

function split(code: string) {
  const [, area = '', number = '', suffix = ''] = /^([A-Z]*)([0-9]*)(.*)$/.exec(code) ?? [];
  return { area, number: Number(number), suffix };
}

/** From this length on, neighbours are written as a range. */
const MIN_RANGE = 3;

/** "LS1–LS29, WF1": districts that follow one another among all `known` ones are a range. */
export function formatDistrictList(districts: readonly string[], known: readonly string[]): string {
  const position = new Map([...known].sort(compareDistricts).map((code, nth) => [code, nth]));
  const runs: string[][] = [];
  for (const code of [...new Set(districts)].sort(compareDistricts)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const follows =
      last !== undefined && areaOf(last) === areaOf(code) && position.get(code) === (position.get(last) ?? NaN) + 1;
    if (run && follows) run.push(code);
    else runs.push([code]);
  }
  return runs.flatMap((run) => (run.length < MIN_RANGE ? run : `${run[0]}–${run.at(-1)}`)).join(', ');
}

interface ParsedDistricts {
  districts: string[];
  /** What is neither a district, an area nor a range of districts. */
  unknown: string[];
}

/** Reads "LS, WF1-WF4, BD23": whole areas, ranges and single districts. */
export function parseDistrictList(text: string, known: readonly string[]): ParsedDistricts {
  const sorted = [...known].sort(compareDistricts);
  const found = new Set<string>();
  const unknown: string[] = [];
  const words = text
    .toUpperCase()
    .replace(/\s*[-–—]\s*/g, '-')
    .split(/[\s,;]+/)
    .filter(Boolean);
  for (const word of words) {
    const matches = matchWord(word, sorted);
    if (!matches.length) unknown.push(word);
    for (const code of matches) found.add(code);
  }
  return { districts: [...found].sort(compareDistricts), unknown };
}

function matchWord(word: string, sorted: readonly string[]): string[] {
  const [first = '', last] = word.split('-');
  if (last === undefined) return sorted.filter((code) => code === word || areaOf(code) === word);
  // "WF1-4" is short for "WF1-WF4".
  const end = /^[0-9]/.test(last) ? `${areaOf(first)}${last}` : last;
  const [from, to] = [sorted.indexOf(first), sorted.indexOf(end)];
  return from < 0 || to < from || areaOf(first) !== areaOf(end) ? [] : sorted.slice(from, to + 1);
}
