import { sql } from 'drizzle-orm';
import { type LookAlike, MAX_LOOK_ALIKES } from '#contract/leads/adding/adding.calls.ts';
import { parsePostcode } from '#contract/leads/adding/postcode.ts';
import { parseFindQuery } from '#contract/leads/find/find-query.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findDistrictOf } from '#server/places/district-area.ts';
import { findTownOf } from '#server/places/district-town.ts';
import { matchKeys } from './find-matches.sql.ts';
import { toMatchKeys } from './match-keys.ts';
import { refreshKeys } from './refresh-keys.sql.ts';

interface Typed {
  name: string;
  phone: string;
  postcode: string;
}

/** Shorter beginnings of names are in too many. */
const MIN_NAME = 3;
/** How many leads with such a name are looked at; those nearby come first. */
const MAX_NAMED = 200;

/** The businesses that what is typed may be, the likeliest first, and who works them. */
export async function findLookAlikes(db: Db, typed: Typed, viewer: Viewer): Promise<LookAlike[]> {
  const postcode = parsePostcode(typed.postcode);
  const address = postcode && (postcode.includes(' ') ? postcode : `${postcode} 1AA`);
  const district = address ? findDistrictOf({ formattedAddress: address, latitude: null, longitude: null }) : undefined;
  const likely = await findLikely(db, { ...typed, address: postcode ?? null, town: district && findTownOf(district) });
  const named = likely.length < MAX_LOOK_ALIKES ? await findNamed(db, typed.name, district?.code) : [];
  const ids = [...new Set([...likely, ...named])].slice(0, MAX_LOOK_ALIKES);
  return describe(db, ids, viewer);
}

async function findLikely(
  db: Db,
  {
    name,
    phone,
    address,
    town,
  }: Omit<Typed, 'postcode'> & { address: string | null; town?: string | null | undefined },
): Promise<number[]> {
  await refreshKeys(db);
  const keys = toMatchKeys({ name, address, town: town ?? null, phone: phone || null, website: null });
  const [found = []] = await matchKeys(db, [{ businessId: null, emails: [], ...keys }]);
  return found.map(({ businessId }) => businessId);
}

/** Leads whose name has these words, or begins one of its words with them. */
async function findNamed(db: Db, name: string, district: string | undefined): Promise<number[]> {
  const { words } = parseFindQuery(name);
  if (!words.length || name.trim().length < MIN_NAME) return [];
  const hasWord = (text: string) =>
    sql.join(
      words.map((word) => sql`${sql.raw(text)} like ${`% ${word.replace(/[\\%_]/g, '\\$&')}%`}`),
      sql` and `,
    );
  const { rows } = await db.execute<{ id: number }>(sql`
    select business_id as id from (
      select lead.business_id, lead.district, lead.id from user_businesses lead
      where ${hasWord('lead.find_text')} and ${hasWord("(' ' || fold_text(lead.business_name))")}
      limit ${MAX_NAMED}) named
    group by business_id
    order by bool_or(named.district is not distinct from ${district ?? null}) desc, min(named.id)
    limit ${MAX_LOOK_ALIKES}`);
  return rows.map(({ id }) => id);
}

type Row = {
  id: number;
  name: string;
  town: string | null;
  leads: { uuid: string; userId: number; holder: string }[];
};

/** Of leads that the viewer may not see, the holder's name only. */
async function describe(db: Db, ids: number[], viewer: Viewer): Promise<LookAlike[]> {
  if (!ids.length) return [];
  const { rows } = await db.execute<Row>(sql`
    select business.id, business.name, business.town, coalesce((
      select json_agg(json_build_object('uuid', lead.uuid, 'userId', lead.user_id,
        'holder', coalesce(nullif(holder.full_name, ''), holder.username)) order by lead.id)
      from user_businesses lead join users holder on holder.id = lead.user_id
      where lead.business_id = business.id), '[]') as leads
    from businesses business where business.id = any (${sql.param(ids)}::int[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { name, town, leads } = row;
    const seen =
      leads.find(({ userId }) => userId === viewer.id) ?? leads.find(({ userId }) => canSeeLead(viewer, { userId }));
    return [{ businessId: id, name, town, holders: leads.map(({ holder }) => holder), leadUuid: seen?.uuid ?? null }];
  });
}
