import { MATCH_SCORE } from '#contract/duplicates/duplicate.ts';
import { type MatchKeys, scoreMatch } from '#contract/duplicates/match-score.ts';
import type { LookAlike } from '#contract/import/import-job.ts';
import { toEmailKey, toMatchKeys, toNameKeys } from '#server/duplicates/match-keys.ts';
import type { PlacedRow } from '#server/import/run/import-rows.ts';

/** As in the database: what more rows have in common says little. */
const MAX_FOUND = 20;

export type FileMatch = LookAlike['match'] & { row: number; placeId: string };

/** What is kept of a row. */
interface Entry {
  row: number;
  placeId: string;
  name: string;
  town: string | null;
  keys: MatchKeys;
  email: string | null;
  /** In its name. */
  numbers: string;
}

/** Finds businesses of a file that look like those of rows before, by the keys of stored ones. */
export function createFileIndex() {
  const entries: Entry[] = [];
  /** What was found for each place, for rows that are the same. */
  const found = new Map<string, FileMatch | undefined>();
  /** The first rows with each key, as indexes of `entries`, and how many there are. */
  const byKey = new Map<string, { first: number[]; count: number }>();
  const countOf = (key: string | undefined) => (key === undefined ? 0 : (byKey.get(key)?.count ?? 0));

  function findBest(entry: Entry, keys: Keys): FileMatch | undefined {
    const counts = { phoneCount: countOf(keys.phone[0]), hostCount: countOf(keys.host[0]) };
    let best: FileMatch | undefined;
    for (const index of new Set(listAll(keys).flatMap((key) => byKey.get(key)?.first ?? []))) {
      const other = entries[index] as Entry; // only indexes of entries are kept
      const email = entry.email !== null && entry.email === other.email;
      if (!email && isOnlyAlike(entry, other)) continue;
      const { score, reasons } = scoreMatch(entry.keys, other.keys, { email, ...counts });
      if (score < MATCH_SCORE || score <= (best?.score ?? 0)) continue;
      const { row, placeId, name, town } = other;
      best = { row, placeId, name, town, businessId: null, reasons, score };
    }
    return best;
  }

  return {
    /** Adds a row, and returns the one before that it most likely repeats. */
    add(row: PlacedRow): FileMatch | undefined {
      if (found.has(row.placeId)) return found.get(row.placeId);
      const entry = toEntry(row);
      const keys = listKeys(entry);
      const best = findBest(entry, keys);
      for (const key of listAll(keys)) {
        const known = byKey.get(key) ?? { first: [], count: 0 };
        known.count += 1;
        if (known.first.length < MAX_FOUND) known.first.push(entries.length);
        byKey.set(key, known);
      }
      entries.push(entry);
      found.set(row.placeId, best);
      return best;
    },
  };
}

type Keys = ReturnType<typeof listKeys>;

function toEntry({ row, placeId, values }: PlacedRow): Entry {
  const { name, town, customFields } = values;
  const keys = toMatchKeys(values);
  const numbers = (keys.name.match(/\d+/g) ?? []).sort().join(' ');
  return { row, placeId, name, town, keys, email: toEmailKey(customFields.email ?? null), numbers };
}

/** "Gate 12" and "Gate 13" with nothing else in common: never one business, and comparing their letters costs most. */
const isOnlyAlike = (a: Entry, b: Entry) =>
  a.numbers !== '' && b.numbers !== '' && a.numbers !== b.numbers && !sharesPhoneOrHost(a.keys, b.keys);

const sharesPhoneOrHost = (a: MatchKeys, b: MatchKeys) =>
  (a.phone !== null && a.phone === b.phone) || (a.host !== null && a.host === b.host);

/** By what it is found; the first letter keeps the kinds apart. */
function listKeys({ keys, email }: Entry) {
  const toList = (kind: string, key: string | null) => (key ? [`${kind}${key}`] : []);
  return {
    phone: toList('p', keys.phone),
    host: toList('h', keys.host),
    email: toList('e', email),
    postcode: toList('c', keys.postcode),
    name: toNameKeys(keys).map((key) => `n${key}`),
  };
}

const listAll = (keys: Keys) => Object.values(keys).flat();
