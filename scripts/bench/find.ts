import { buildPath } from '#contract/call.ts';
import { find } from '#contract/find/find.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { getToday, getTodayCounts } from '#contract/leads/today/today.calls.ts';
import { addLeadTexts } from '../measure/add-lead-texts.ts';
import { milliseconds, openConnection } from '../measure/callers.ts';
import { type Defer, withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { type Generated, generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench, Measured } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable, median } from '../measure/statistics.ts';
import { createAdmin, signIn, type User } from '../measure/users.ts';

const ROUNDS = 5;
/** From this many leads on, the second limit holds. */
const LARGE = 500_000;
const LIMIT_MS = 100;
const LIMIT_LARGE_MS = 300;
const TODAY_LIMIT_MS = 50;

/** Where a text is typed: the palette, the list as it opens, and the list with every lead. */
const SEARCHES: Record<string, (q: string) => string> = {
  palette: (q) => buildPath(find, { query: { q } }),
  list: (q) => buildPath(listLeads, { query: { q } }),
  'list of everything': (q) =>
    buildPath(listLeads, { query: { q, hideClosed: false, archived: true, existing: true } }),
};

/** Every kind of text, for an administrator, a user with one lead in twenty, and one with few. */
export const findBench: Bench = {
  title: 'Find anything, and Today',
  run: async (sizes) => {
    const parts: string[] = [];
    for (const leads of sizes.length ? sizes : ['100000', '1000000']) {
      parts.push(await withCleanup((defer) => measureFind(defer, Number(leads))));
    }
    return { text: parts.join('\n\n'), ratios: {} } satisfies Measured;
  },
};

async function measureFind(defer: Defer, leads: number): Promise<string> {
  const { pool, env } = await startDatabase(defer);
  const generated = await generateLeads(pool, leads);
  await addLeadTexts(pool, leads);
  const [busy, quiet] = (await signIn(pool, [generated.busyUserId, generated.quietUserId])) as [User, User];
  const users = [await createAdmin(pool), busy, quiet];
  const product = await startProduct(defer, { env });
  const connection = openConnection(product.url);
  defer(() => connection.close());

  const measure = async (path: string) => {
    const times: number[][] = [];
    for (const { cookie } of users) {
      const rounds: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(await milliseconds(() => connection.send({ method: 'GET', path, cookie })));
      }
      times.push(rounds);
    }
    return times;
  };

  const limit = leads < LARGE ? LIMIT_MS : LIMIT_LARGE_MS;
  const lines: string[][] = [];
  const bySearch = new Map<string, number[]>();
  for (const [kind, q] of Object.entries(listTexts(generated))) {
    const cells: string[] = [];
    for (const [search, toPath] of Object.entries(SEARCHES)) {
      const times = await measure(toPath(q));
      bySearch.set(search, [...(bySearch.get(search) ?? []), ...times.flat()]);
      cells.push(formatCell(times, limit));
    }
    lines.push([`${kind}: ${q}`, ...cells]);
  }
  const summary = [...bySearch].map(([search, times]) => [search, formatTimes(times)]);
  const today = formatCell(await measure(getToday.path), TODAY_LIMIT_MS);
  const counts = formatCell(await measure(getTodayCounts.path), TODAY_LIMIT_MS);
  return [
    `${formatNumber(leads)} leads, over HTTP: the median of ${ROUNDS} requests in ms by an administrator / a user with many / a user with few leads. The limit is ${limit} ms, of Today ${TODAY_LIMIT_MS} ms.`,
    markdownTable(['searched for', ...Object.keys(SEARCHES)], lines),
    markdownTable(['all requests', 'median / 95% / maximum'], summary),
    `Today: ${today}; its counts: ${counts}.`,
  ].join('\n\n');
}

const formatCell = (times: number[][], limit: number) =>
  times
    .map(median)
    .map((ms) => `${formatNumber(ms, 1)}${ms <= limit ? '' : ' (FAIL)'}`)
    .join(' / ');

const listTexts = ({ commonName, rareName, wordsOfName, commonTown, rareTown, rareTag }: Generated) => ({
  'common name': commonName,
  'rare name': rareName,
  'part of a name': rareName.slice(2),
  'two words of a name': wordsOfName,
  'name and common town': `${commonName} ${commonTown}`,
  'town and rare name': `${commonTown} ${rareName}`,
  'three words, the last a beginning': `${rareName} ${commonTown} ${commonName.slice(0, 3)}`,
  'two letters': 'ba',
  'two letters that nothing has': 'qx',
  'common town': commonTown,
  'rare town': rareTown,
  'whole phone number': '+44 113 0004 242',
  'part of a phone number': '4242',
  'outward postcode': 'FA6',
  'whole postcode': 'fa65aa',
  'contact person': 'orla',
  'contact person and town': `orla ${commonTown}`,
  'e-mail': 'owner300',
  'common tag': 'campaign 1',
  'rare tag': rareTag,
  'rare word of a note': 'R3003',
  'common word of a note': 'owner',
  'common words of a note': 'ring back',
  'name and word of a note': `${commonName} ring`,
  'rare word of an activity': 'order 4444',
  'common word of an activity': 'message',
  'common word': 'the',
  'common name, mistyped': swapLetters(commonName),
  'rare name, mistyped': swapLetters(rareName),
  'name and town, both mistyped': `${swapLetters(commonName)} ${swapLetters(commonTown)}`,
  'word that nothing has': 'qqxyzz',
});

const swapLetters = (word: string) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`;
