import type { Pool } from 'pg';

type Client = Pick<Pool, 'query'>;

export interface Generated {
  /** Who holds about two of a hundred leads, and who holds the fewest. */
  busyUserId: number;
  quietUserId: number;
  commonTown: string;
  rareTown: string;
  commonTag: string;
  rareTag: string;
  /** Parts of names. */
  commonName: string;
  rareName: string;
  wordsOfName: string;
}

const TOWNS = 700;
const TAGS = 300;
const SURNAMES = 400;
/** By rank; about one lead in a thousand, so that the smallest list has some. */
const RARE = 120;
const KINDS = [
  'Bakery',
  'Cafe',
  'Garage',
  'Salon',
  'Florist',
  'Dental Practice',
  'Solicitors',
  'Plumbing',
  'Electrical',
];
const MORE_KINDS = ['Pharmacy', 'Estate Agents', 'Accountants', 'Butchers', 'Opticians', 'Fitness Studio', 'Books'];
const COLOURS = ['Blue', 'Old', 'Green', 'Royal', 'Corner', 'White', 'High Street', 'Little', 'Golden', 'Red', 'Lucky'];
const TOWN_BEGINNINGS = ['Ash', 'Brad', 'Castle', 'Dun', 'East', 'Farn', 'Green', 'Hart', 'Kings', 'Lang', 'Mill'];
const TOWN_MIDDLES = ['', 'ing', 'bury', 'ley', 'combe', 'wick'];
const TOWN_ENDS = ['ton', 'ford', 'ham', 'by', 'field', 'worth', 'mouth', 'stead', 'minster', 'gate', 'bridge'];
const SYLLABLES = ['ar', 'bel', 'cor', 'dan', 'el', 'fin', 'gor', 'hol', 'is', 'jen', 'kar', 'lom', 'mer', 'nor', 'os'];

// Of 1,000 leads, so many are up to here in each status.
const STATUSES = [
  ['new', 450],
  ['in_progress', 630],
  ['recontact', 750],
  ['closed_won', 830],
  ['closed_lost', 930],
  ['qualified', 970],
  ['proposal', 990],
  ['negotiation', 1_000],
] as const;

/**
 * Leads as a team that has worked for three years has them, written by the database itself and the same every time: a
 * few users, towns and tags have many, most have few. The database must be migrated and empty.
 */
export async function generateLeads(pool: Pool, leads: number): Promise<Generated> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    const sellers = await client.query<{ id: number }>(
      `insert into users (username, email, full_name, password)
       select 'seller' || n, 'seller' || n || '@example.test', 'Seller ' || n, 'none'
       from generate_series(1, $1::int) n returning id`,
      [Math.round(Math.sqrt(leads / 4))],
    );
    const userIds = sellers.rows.map(({ id }) => id);
    const makeIndexes = await dropIndexes(client);
    await client.query('alter table user_businesses disable trigger all');
    for (let from = 1; from <= leads; from += STEP) {
      await step(client, { from, to: Math.min(from + STEP - 1, leads), leads, userIds });
    }
    await client.query('alter table user_businesses enable trigger all');
    await makeIndexes();
    await countAll(client);
    await putIntoSets(client);
    for (const table of ['businesses', 'user_businesses', 'users', 'lead_counts', 'lead_sets', 'lead_name_words']) {
      await client.query(`vacuum analyze ${table}`);
    }
    return await chosen(client, leads);
  } finally {
    await client.query('reset statement_timeout');
    client.release();
  }
}

/** Indexes are made sooner once the rows are there. Answers how to make them again. */
async function dropIndexes(client: Client) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('businesses', 'user_businesses') and indexdef not like 'CREATE UNIQUE%'`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

/** What the triggers would have counted. */
async function countAll(client: Client) {
  await client.query(
    `insert into lead_counts (holder, facet, word, status, archived, existing, leads)
     select f.holder, f.facet, f.word, l.status, l.archived, l.existing_customer, count(*)
     from user_businesses l, lead_facets(l.user_id, l.town, l.tags) f
     group by f.holder, f.facet, f.word, l.status, l.archived, l.existing_customer`,
  );
}

/** What the product would have made of them while it runs. */
async function putIntoSets(client: Client) {
  const { rows } = await client.query<{ piece: number }>('select distinct id / 16384 as piece from user_businesses');
  for (const { piece } of rows) {
    await client.query(
      `insert into lead_sets (word, piece, few, many)
       select word, $1::int, case when count(*) < 128 then lead_members(id % 16384, 1) end,
         case when count(*) >= 128 then lead_members(id % 16384, 1) end
       from (select distinct id,
           unnest(lead_words(user_id, status, archived, existing_customer, town, tags, business_name)) as word
         from user_businesses where id between $1::int * 16384 and $1::int * 16384 + 16383) as said
       group by word`,
      [piece],
    );
  }
}

const STEP = 50_000;

interface Step {
  from: number;
  to: number;
  leads: number;
  userIds: number[];
}

async function step(client: Client, { from, to, leads, userIds }: Step) {
  await client.query(
    `insert into businesses (place_id, name, formatted_address, town, phone, website, latitude, longitude, imported)
     select 'generated-' || n,
       ($5::text[])[1 + (b % array_length($5::text[], 1))] || ' ' || surname.word || ' ' ||
         ($4::text[])[1 + (c % array_length($4::text[], 1))],
       n % 300 || ' High Street, ' || town.word || ', UK', town.word, '0113 ' || lpad((n % 1000000)::text, 7, '0'),
       case when c % 3 > 0 then 'https://shop' || n || '.example' end,
       50.5 + (a % 7000) / 1000::float8, -5 + (b % 6500) / 1000::float8, c % 5 < 2
     from ${randoms('business')}
     join ${words('$3', 'town')} on town.rank = ${ranked('d', TOWNS)}
     join ${words('$6', 'surname')} on surname.rank = ${ranked('a', SURNAMES)}
     order by n`,
    [from, to, towns(), [...KINDS, ...MORE_KINDS], COLOURS, surnames()],
  );
  await client.query(
    `insert into user_businesses (user_id, business_id, status, viewed, archived, archived_at, existing_customer,
       existing_customer_at, assigned_at, tags, custom_fields, notes, business_name, town)
     select seller.word::int, b0.id, ${statusBy('b')}, n % 10 > 2,
       c % 20 = 0, case when c % 20 = 0 then now() end, d % 25 < 2, case when d % 25 < 2 then now() end,
       now() - interval '3 years' * (1 - (case when a % 10 = 0 then (b % 1000) / 1000::float8 else n / $4::float8 end)),
       array_remove(array[case when c % 5 < 2 then 'Imported' end, first.word, nullif(second.word, first.word)], null),
       case when n % 3 = 0 then '{"email":"owner@example.test"}'::jsonb else '{}' end,
       case when n % 4 = 0 then 'Asked for a call back in the afternoon; speaks to the owner only.' else '' end,
       b0.name, b0.town
     from ${randoms('lead')} join businesses b0 on b0.place_id = 'generated-' || n
     join ${words('$5', 'seller')} on seller.rank = ${ranked('a', userIds.length)}
     left join ${words('$3', 'first')} on d % 10 < 7 and first.rank = ${ranked('c', TAGS)}
     left join ${words('$3', 'second')} on a % 10 < 4 and second.rank = ${ranked('d', TAGS)}
     order by n`,
    [from, to, tags(), leads, userIds.map(String)],
  );
}

const words = (parameter: string, name: string) =>
  `unnest(${parameter}::text[]) with ordinality as ${name} (word, rank)`;

/** Four numbers of 24 bits for each n, which look like chance and are not. */
const randoms = (salt: string) => `(
  select n, ${['a', 'b', 'c', 'd'].map((name, at) => `('x' || substr(h, ${1 + at * 6}, 6))::bit(24)::int as ${name}`)}
  from (select n, md5('${salt}' || n) as h from generate_series($1::int, $2::int) n) hashed) as random`;

/** A rank from 1: the first is twice as likely as the second, ten times as likely as the tenth. */
const ranked = (random: string, most: number) =>
  `floor(power(${most + 1}::float8, (${random} + 0.5::float8) / 16777216))::int`;

const statusBy = (random: string) =>
  `case ${STATUSES.map(([status, upTo]) => `when ${random} % 1000 < ${upTo} then '${status}'`).join(' ')} end`;

const combined = (lists: string[][], most: number) =>
  lists.reduce((begun, parts) => parts.flatMap((part) => begun.map((word) => word + part)), ['']).slice(0, most);
const towns = () => combined([TOWN_BEGINNINGS, TOWN_MIDDLES, TOWN_ENDS], TOWNS);
const surnames = () =>
  combined([SYLLABLES, SYLLABLES, ['son', 'ley']], SURNAMES).map(
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
const tags = () => Array.from({ length: TAGS }, (_, at) => `campaign ${at + 1}`);

/** What to ask for among leads that were generated before. */
export async function chosen(client: Client, leads: number): Promise<Generated> {
  const { rows } = await client.query<{ id: number }>(
    'select user_id as id from user_businesses group by user_id order by abs(count(*) - $1), user_id',
    [leads * 0.02],
  );
  const fewest = await client.query<{ id: number }>(
    'select user_id as id from user_businesses group by user_id order by count(*), user_id limit 1',
  );
  return {
    busyUserId: rows[0]?.id ?? 0,
    quietUserId: fewest.rows[0]?.id ?? 0,
    commonTown: towns()[0] ?? '',
    rareTown: towns()[RARE] ?? '',
    commonTag: tags()[0] ?? '',
    rareTag: tags()[RARE] ?? '',
    commonName: 'bakery',
    rareName: surnames()[RARE] ?? '',
    wordsOfName: 'high street',
  };
}
