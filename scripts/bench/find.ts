import { buildPath } from '#contract/call.ts';
import { find } from '#contract/find/find.calls.ts';
import { getToday, getTodayCounts } from '#contract/leads/today/today.calls.ts';
import { addLeadTexts } from '../measure/add-lead-texts.ts';
import { milliseconds, openConnection } from '../measure/callers.ts';
import { type Defer, withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { type Generated, generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Measured } from '../measure/results.ts';
import { formatNumber, markdownTable } from '../measure/statistics.ts';
import { createAdmin, signIn, type User } from '../measure/users.ts';
import type { Bench } from './bench.ts';

const ROUNDS = 5;
const LIMIT_MS = 200;
const TODAY_LIMIT_MS = 50;

/** Every kind of text, for an administrator, a user with one lead in twenty, and one with few. */
export const findBench: Bench = {
  title: 'Find anything, and Today',
  run: ([leads = '1000000']) => withCleanup((defer) => measureFind(defer, Number(leads))),
};

async function measureFind(defer: Defer, leads: number): Promise<Measured> {
  const { pool, env } = await startDatabase(defer);
  const generated = await generateLeads(pool, leads);
  await addLeadTexts(pool, leads);
  const [busy, quiet] = (await signIn(pool, [generated.busyUserId, generated.quietUserId])) as [User, User];
  const users = [await createAdmin(pool), busy, quiet];
  const product = await startProduct(defer, { env });
  const connection = openConnection(product.url);
  defer(() => connection.close());
  const times: string[][] = [];
  const finds = Object.entries(listTexts(generated)).map(([kind, q]) => [
    `${kind}: ${q}`,
    buildPath(find, { query: { q } }),
  ]);
  for (const [name = '', path = ''] of [...finds, ['Today', getToday.path], ['counts of Today', getTodayCounts.path]]) {
    const limit = path.startsWith(getToday.path) ? TODAY_LIMIT_MS : LIMIT_MS;
    const cells: string[] = [];
    for (const { cookie } of users) {
      let minimum = Number.POSITIVE_INFINITY;
      for (let round = 0; round < ROUNDS; round += 1) {
        minimum = Math.min(minimum, await milliseconds(() => connection.send({ method: 'GET', path, cookie })));
      }
      cells.push(`${formatNumber(minimum, 1)}${minimum <= limit ? '' : ' (FAIL)'}`);
    }
    times.push([name, ...cells]);
  }
  const head = [`${formatNumber(leads)} leads, ms`, 'admin', 'user with many', 'user with few'];
  return {
    text: `Over HTTP, the minimum of ${ROUNDS}; the limit is ${LIMIT_MS} ms, of Today ${TODAY_LIMIT_MS} ms.\n\n${markdownTable(head, times)}`,
    ratios: {},
  };
}

const listTexts = ({ commonName, rareName, wordsOfName, commonTown, rareTown, rareTag }: Generated) => ({
  'common name': commonName,
  'rare name': rareName,
  'two words of a name': wordsOfName,
  'two letters': 'ba',
  'common town': commonTown,
  'rare town': rareTown,
  'whole phone number': '+44 113 0004 242',
  'part of a phone number': '4242',
  'outward postcode': 'FA6',
  'whole postcode': 'fa65aa',
  'contact person': 'orla',
  'e-mail': 'owner300',
  'common tag': 'campaign 1',
  'rare tag': rareTag,
  'rare word of a note': 'R3003',
  'common word of a note': 'owner',
  'common words of a note': 'ring back',
  'rare word of an activity': 'order 4444',
  'common word of an activity': 'message',
  'common word': 'the',
  'word that nothing has': 'qqxyz',
});
