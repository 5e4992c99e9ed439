import type { Pool } from 'pg';
import type { AnyCall, Input } from '#contract/call.ts';
import { getLatestBulkJob, startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { MAX_TOTAL } from '#contract/leads/lead-filter.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { formatConditions, type OwnCondition } from '#contract/leads/own-fields/own-filter.ts';
import { milliseconds, openConnection, toRequest } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { createClient } from '../measure/client.ts';
import { startDatabase, withoutTimeout } from '../measure/database.ts';
import { type Generated, generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench, Measured } from '../measure/results.ts';
import { formatNumber, formatRange, markdownTable, median } from '../measure/statistics.ts';
import { createAdmin, signIn, type User } from '../measure/users.ts';
import { waitUntil } from '../measure/wait-until.ts';

const INDEX = 'user_businesses_own_fields_idx';
const UPDATE = 'update user_businesses set status = $2, updated_at = now() where id = $1';
const UPDATES = 300;
/** By how much a status change may take longer because of the index. */
const LIMIT = 1.15;
const JOB_MS = 600_000;
/** Of this many leads, one has the rare text. */
const RARE = 5_000;
const RARE_TEXT = 'Rarebit Ltd';
/** The text of as many leads as a bulk action may have. */
const BULK_TEXT = 'Bulk Ltd';

/** Lists and bulk changes by fields of the team's own, beside the same by fields of Highstreet, and what a status change costs. */
export const ownFieldsBench: Bench = {
  title: "Fields of the team's own",
  run: ([leads = '400000', rounds = '15']) =>
    withCleanup(async (defer) => {
      const { pool, env } = await startDatabase(defer);
      const generated = await generateLeads(pool, Number(leads));
      const ids = await addFields(pool);
      const before = await timeUpdates(pool);
      await addValues(pool, ids);
      const after = await timeUpdates(pool);
      const [admin, [busy]] = [await createAdmin(pool), await signIn(pool, [generated.busyUserId])];
      if (!busy) throw new Error('a user with many leads is needed');
      const { url } = await startProduct(defer, { env });
      const lists = await timeLists(url, listPairs({ ids, generated, admin, busy }), Number(rounds));
      const bulk = await timeBulk(url, ids, admin);
      return report(Number(leads), [...lists, bulk], { before, after });
    }),
};

type Ids = Awaited<ReturnType<typeof addFields>>;

/** A field of each kind that is filtered or sorted in its own way. */
async function addFields(pool: Pool) {
  const choices = Array.from({ length: 8 }, (_, nth) => ({
    id: String(nth + 1),
    label: `Choice ${nth + 1}`,
    retired: false,
  }));
  const insert = async (type: string, position: number) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into own_fields (name, type, choices, position) values ('Own ' || $1::text, $1, $2, $3) returning id`,
      [type, JSON.stringify(type.startsWith('choice') ? choices : []), position],
    );
    return rows[0]?.id ?? 0;
  };
  return {
    text: await insert('text', 1),
    number: await insert('number', 2),
    date: await insert('date', 3),
    choice: await insert('choice', 4),
    choices: await insert('choices', 5),
  };
}

/** Of each field, nine leads in ten have a value; one lead in seven has none at all. */
const addValues = (pool: Pool, { text, number, date, choice, choices }: Ids) =>
  withoutTimeout(pool, async (client) => {
    await client.query('alter table user_businesses disable trigger user');
    await client.query(`drop index ${INDEX}`);
    await client.query(
      `update user_businesses set own_fields = jsonb_strip_nulls(jsonb_build_object(
         $1::text, case when id % 10 <> 1 then case when id % ${RARE} = 2 then '${RARE_TEXT}' else 'Supplier ' || id % 2000 end end,
         $2::text, case when id % 10 <> 2 then hashint4(id) % 1000 end,
         $3::text, case when id % 10 <> 3 then (date '2026-01-01' + id % 1500)::text end,
         $4::text, case when id % 10 <> 4 then (1 + id % 8)::text end,
         $5::text, case when id % 10 <> 5 then jsonb_build_array((1 + id % 4)::text, (5 + id % 4)::text) end))
       where id % 7 > 0`,
      [text, number, date, choice, choices].map(String),
    );
    await client.query(
      `update user_businesses set own_fields = own_fields || jsonb_build_object($1::text, '${BULK_TEXT}')
       where id in (select id from user_businesses
         where own_fields <> '{}' and own_fields ->> $1::text is distinct from '${RARE_TEXT}' order by md5(id::text) limit ${MAX_TOTAL})`,
      [String(text)],
    );
    await client.query('alter table user_businesses enable trigger user');
    await createIndex(client);
    await client.query('vacuum analyze user_businesses');
  });

const createIndex = (client: Pick<Pool, 'query'>) =>
  client.query(
    `create index ${INDEX} on user_businesses using gin (own_fields jsonb_path_ops) where own_fields <> '{}'`,
  );

/** Milliseconds of one status change through the bare driver, medians. */
interface Updates {
  /** Of leads with values. */
  filled: Indexed;
  /** Of leads without any. */
  empty: Indexed;
}
interface Indexed {
  indexed: number;
  unindexed: number;
}

/** With the index and without it in turn, and leads with values and without any in turn, so that other load affects all. */
const timeUpdates = (pool: Pool): Promise<Updates> =>
  withoutTimeout(pool, async (client) => {
    const readIds = async (condition: string) =>
      (
        await client.query<{ id: number }>(
          `select id from user_businesses where not archived and ${condition} order by md5(id::text) limit ${UPDATES}`,
        )
      ).rows.map(({ id }) => id);
    const ids = { filled: await readIds("own_fields <> '{}'"), empty: await readIds("own_fields = '{}'") };
    const newTimes = () => ({ filled: [] as number[], empty: [] as number[] });
    const timeAll = async (status: string, times: ReturnType<typeof newTimes>) => {
      for (let nth = 0; nth < UPDATES; nth += 1) {
        for (const kind of ['filled', 'empty'] as const) {
          const id = ids[kind][nth];
          if (id) times[kind].push(await milliseconds(() => client.query(UPDATE, [id, status])));
        }
      }
    };
    const [indexed, unindexed] = [newTimes(), newTimes()];
    // The first ones read from the disk.
    await timeAll('qualified', newTimes());
    for (let round = 0; round < 3; round += 1) {
      await timeAll('proposal', indexed);
      await client.query(`drop index ${INDEX}`);
      await timeAll('negotiation', unindexed);
      await createIndex(client);
    }
    const toMedians = (kind: 'filled' | 'empty') => ({
      indexed: median(indexed[kind]),
      unindexed: median(unindexed[kind]),
    });
    return { filled: toMedians('filled'), empty: toMedians('empty') };
  });

interface Pair {
  name: string;
  user: User;
  own: Query;
  /** The same by a field of Highstreet. */
  builtIn: Query;
}
type Query = NonNullable<Input<typeof listLeads>['query']>;

const ALL = { hideClosed: 'false', archived: 'true', existing: 'true' };

type Given = [fieldId: number, operator: OwnCondition['operator'], ...operands: (string | number)[]];
const where = (...conditions: Given[]) => ({
  own: formatConditions(conditions.map(([fieldId, operator, ...operands]) => ({ fieldId, operator, operands }))),
});

function listPairs({
  ids,
  generated,
  admin,
  busy,
}: {
  ids: Ids;
  generated: Generated;
  admin: User;
  busy: User;
}): Pair[] {
  return [
    {
      name: "everyone's leads with a rare text / tag",
      user: admin,
      own: { ...ALL, ...where([ids.text, 'is', 'Rarebit Ltd']) },
      builtIn: { ...ALL, tags: generated.rareTag },
    },
    {
      name: "everyone's leads with a choice / status",
      user: admin,
      own: { ...ALL, ...where([ids.choice, 'is', '3']) },
      builtIn: { ...ALL, status: 'new' },
    },
    {
      name: 'own leads with a choice / status',
      user: busy,
      own: { ...ALL, ...where([ids.choice, 'is', '3']) },
      builtIn: { ...ALL, status: 'new' },
    },
    {
      name: 'own leads with one of several choices / a tag',
      user: busy,
      own: { ...ALL, ...where([ids.choices, 'has', '2']) },
      builtIn: { ...ALL, tags: generated.commonTag },
    },
    {
      name: 'own leads within a number / days of the last contact',
      user: busy,
      own: { ...ALL, ...where([ids.number, 'from', 100], [ids.number, 'to', 200]) },
      builtIn: { ...ALL, contactedFrom: '60d', contactedTo: '30d' },
    },
    {
      name: 'own leads by a number / the town',
      user: busy,
      own: { ...ALL, sort: `field${ids.number}` },
      builtIn: { ...ALL, sort: 'town' },
    },
    {
      name: "everyone's leads by a number / the town",
      user: admin,
      own: { ...ALL, sort: `field${ids.number}` },
      builtIn: { ...ALL, sort: 'town' },
    },
    {
      name: "everyone's leads with a part of a text / a name",
      user: admin,
      own: { ...ALL, ...where([ids.text, 'contains', 'rarebit']) },
      builtIn: { ...ALL, q: generated.rareName },
    },
  ];
}

interface Timed {
  name: string;
  own: number[];
  builtIn: number[];
}

/** Both in turn, so that other load affects both; one round more, because the first reads from the disk. */
async function timeLists(url: string, pairs: Pair[], rounds: number): Promise<Timed[]> {
  const connection = openConnection(url);
  const time = (user: User, query: Query) =>
    milliseconds(() => connection.send(toRequest(user, listLeads as AnyCall, { query })));
  const timed = pairs.map(({ name }): Timed => ({ name, own: [], builtIn: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [nth, { user, own, builtIn }] of pairs.entries()) {
      const [ownMs, builtInMs] = [await time(user, own), await time(user, builtIn)];
      if (round === 0) continue;
      timed[nth]?.own.push(ownMs);
      timed[nth]?.builtIn.push(builtInMs);
    }
  }
  connection.close();
  return timed;
}

/** A job on as many leads as one may have, or on all with values where these are fewer. */
async function timeBulk(url: string, ids: Ids, admin: User): Promise<Timed> {
  const client = createClient(url);
  const filter = { ...ALL, ...where([ids.text, 'is', BULK_TEXT]) };
  const { total } = (await client.call(listLeads, { query: filter }, admin)).body;
  const time = (action: object) =>
    milliseconds(async () => {
      const started = await client.call(startBulkJob, { body: { filter, action } as never }, admin);
      if (started.status !== 200) throw new Error(started.body.message);
      const state = async () => (await client.call(getLatestBulkJob, {}, admin)).body.job?.state;
      if (!(await waitUntil(async () => (await state()) !== 'running', JOB_MS, 50))) throw new Error('It did not end.');
      if ((await state()) !== 'done') throw new Error('It was stopped.');
    });
  const timed: Timed = {
    name: `bulk change of ${formatNumber(total)} leads: a choice / a tag`,
    own: [],
    builtIn: [],
  };
  for (const nth of [1, 2, 3]) {
    timed.own.push(await time({ verb: 'set-field', fieldId: ids.choice, value: String(nth) }));
    timed.builtIn.push(await time({ verb: 'add-tag', tag: `bench ${nth}` }));
  }
  return timed;
}

function report(leads: number, timed: Timed[], { before, after }: { before: Updates; after: Updates }): Measured {
  const ratios: Measured['ratios'] = {};
  const rows = timed.map(({ name, own, builtIn }) => {
    const ratio = median(own) / median(builtIn);
    ratios[name] = { value: ratio, better: 'lower' };
    return [
      name,
      formatNumber(median(own), 1),
      formatRange(own, 1),
      formatNumber(median(builtIn), 1),
      ratio.toFixed(2),
    ];
  });
  const changes = (
    [
      ['a team without values: with the index / without it', before.empty.indexed, before.empty.unindexed],
      ['a lead with five values: with the index / without it', after.filled.indexed, after.filled.unindexed],
      ['with the index: five values / none', after.filled.indexed, after.empty.indexed],
      ['five values and the index / neither', after.filled.indexed, after.empty.unindexed],
    ] as const
  ).map(([name, one, other]) => {
    const ratio = one / other;
    ratios[`status change: ${name}`] = { value: ratio, better: 'lower' };
    const passed = ratio <= LIMIT ? 'pass' : 'FAIL';
    return [name, formatNumber(one, 3), formatNumber(other, 3), `${ratio.toFixed(2)} (≤ ${LIMIT}: ${passed})`];
  });
  const head = [
    `${formatNumber(leads)} leads, 5 own fields, ms`,
    'own field, median',
    'range',
    'of Highstreet, median',
    'ratio',
  ];
  const changeHead = ['status change through the bare driver, ms, medians', 'the first', 'the second', 'ratio'];
  return { text: `${markdownTable(head, rows)}\n\n${markdownTable(changeHead, changes)}`, ratios };
}
