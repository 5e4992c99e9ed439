import { type SQL, sql } from 'drizzle-orm';
import {
  FIND_MAX_LEADS,
  FIND_MAX_USERS,
  FIND_MIN_LENGTH,
  type FoundLead,
  type FoundUser,
  type MatchedField,
  matchedField,
} from '#contract/find/find.calls.ts';
import { parsePostcode, toPhoneDigits } from '#contract/find/find-query.ts';
import { IMPORTED_TAG } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';

/** How many leads each field may contribute before they are ranked: common words match hundreds of thousands. */
const MAX_PER_FIELD = 500;

interface FoundRow extends Record<string, unknown>, Omit<FoundLead, 'holder' | 'match'> {
  holder_id: number;
  username: string;
  full_name: string;
  field: MatchedField;
  text: string;
}

/** The best matches, by field and then by the date of assignment. Each field is looked up in an index of its own. */
export async function findLeads(db: Db, viewer: Viewer, query: string) {
  const words = toWords(query);
  const tags = await findTags(db, query);
  const matches = sql.join(
    buildMatches(query, words, tags).map((match) => sql`(${match} and ${visibleTo(viewer)} limit ${MAX_PER_FIELD})`),
    sql` union all `,
  );
  const { rows } = await db.execute<FoundRow>(sql`
    with matches as materialized (${matches}),
    leads as (
      select distinct on (id) id, field, text from matches order by id, ${rank(sql`field`)}
    )
    select lead.id, lead.uuid, lead.business_name as name, lead.town, lead.status, lead.archived,
      lead.existing_customer as "existingCustomer",
      holder.id as holder_id, holder.username, holder.full_name, leads.field,
      case when leads.field in ('notes', 'activity') then ${excerpt(words)} else leads.text end as text
    from leads join user_businesses lead using (id) join users holder on holder.id = lead.user_id
    order by ${rank(sql`leads.field`)}, lead.search_name like ${startsWith(query)} desc, lead.assigned_at desc, lead.id desc
    limit ${FIND_MAX_LEADS + 1}`);
  return { leads: rows.slice(0, FIND_MAX_LEADS).map(toFoundLead), moreLeads: rows.length > FIND_MAX_LEADS };
}

/** Users by username, full name or e-mail, those that begin with the text first. */
export async function findUsers(db: Db, query: string): Promise<FoundUser[]> {
  const { rows } = await db.execute<FoundUser & Record<string, unknown>>(sql`
    select id, username, full_name as "fullName", email, role, active from users
    where search_text(username) like ${contains(query)} or search_text(full_name) like ${contains(query)}
      or search_text(email) like ${contains(query)}
    order by active desc,
      search_text(username) like ${startsWith(query)} or search_text(full_name) like ${startsWith(query)} desc,
      lower(username)
    limit ${FIND_MAX_USERS}`);
  return rows;
}

/** A query of its own: with the tags as constants, the planner knows how many leads have them. */
async function findTags(db: Db, query: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select name from lead_tags where search_text(name) like ${contains(query)} and name <> ${IMPORTED_TAG}`,
  );
  return rows.map(({ name }) => name);
}

/** Lists show a manager's own leads, but a manager may open every profile (`canSeeLead`), so this finds every lead. */
const visibleTo = (viewer: Viewer): SQL => (viewer.role === 'user' ? sql`lead.user_id = ${viewer.id}` : sql`true`);

/** One SELECT per field that this text could be in; each ends in a condition. */
function buildMatches(query: string, words: string, tags: string[]): SQL[] {
  const matches = [
    ofLead('name', sql`lead.business_name`, isNamed(sql`lead.search_name`, query)),
    ofLead('town', sql`lead.town`, sql`lead.search_town in ${townsLike(query)}`),
  ];
  if (tags.length) {
    const anyTag = sql`${sql.param(tags)}::text[]`;
    const first = sql`(select min(tag) from unnest(lead.tags) tag where tag = any (${anyTag}))`;
    matches.push(ofLead('tag', first, sql`lead.tags && ${anyTag}`));
  }
  if (words) {
    matches.push(
      ofLead('email', sql`lead.custom_fields ->> 'email'`, hasField('email', query)),
      ofLead('contactPerson', sql`lead.custom_fields ->> 'contactPerson'`, hasField('contactPerson', query)),
      ofLead('notes', sql`lead.notes`, sql`to_tsvector('simple', lead.notes) @@ ${toTsquery(words)}`),
      sql`select lead.id, 'activity', activity.description
        from contact_activities activity join user_businesses lead on lead.id = activity.user_business_id
        where to_tsvector('simple', activity.description) @@ ${toTsquery(words)}`,
    );
  }
  const digits = toPhoneDigits(query);
  if (digits) {
    matches.push(
      ofBusiness(
        'phone',
        sql`coalesce(business.phone, business.international_phone)`,
        sql`phone_digits(business.phone, business.international_phone) like ${`%${digits}%`}`,
      ),
    );
  }
  const postcode = parsePostcode(query);
  if (postcode) {
    const pattern = `\\m${postcode.outward}\\s*${postcode.inward ?? '[0-9][A-Z]{2}'}\\M`;
    const found = sql`upper(substring(business.formatted_address from ${`(?i)${pattern}`}))`;
    matches.push(ofBusiness('postcode', found, sql`business.formatted_address ~* ${pattern}`));
  }
  return matches;
}

const ofLead = (field: MatchedField, text: SQL, condition: SQL) =>
  sql`select lead.id, ${field}::text as field, ${text} as text from user_businesses lead where ${condition}`;

const ofBusiness = (field: MatchedField, text: SQL, condition: SQL) =>
  sql`select lead.id, ${field}::text, ${text}
    from businesses business join user_businesses lead on lead.business_id = business.id where ${condition}`;

const hasField = (key: 'email' | 'contactPerson', query: string) =>
  sql`${sql.raw(`lead.custom_fields ? '${key}'`)} and ${isNamed(sql.raw(`search_text(lead.custom_fields ->> '${key}')`), query)}`;

/** Anywhere; of fewer than three letters in a row, which have no trigram to look up, the beginning of a word. */
const isNamed = (column: SQL, query: string) =>
  /[\p{L}\p{N}]{3}/u.test(query)
    ? sql`${column} like ${contains(query)}`
    : sql`(${column} like ${startsWith(query)} or ${column} like ${contains(` ${query}`)})`;

/** A loose index scan over user_businesses_town_idx: there are thousands of towns at most, whatever the number of leads. */
const townsLike = (query: string) => sql`(
  with recursive towns as (
    (select search_town from user_businesses where search_town is not null order by search_town limit 1)
    union all
    select (select next.search_town from user_businesses next where next.search_town > towns.search_town
      order by next.search_town limit 1) from towns where towns.search_town is not null
  )
  select search_town from towns where search_town like ${startsWith(query)})`;

const contains = (query: string) => sql`search_text(${`%${escapeLike(query)}%`})`;
const startsWith = (query: string) => sql`search_text(${`${escapeLike(query)}%`})`;
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Every word of the text, each as a beginning: `blue:* & door:*`. */
const toWords = (query: string) =>
  query
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= FIND_MIN_LENGTH)
    .map((word) => `${word}:*`)
    .join(' & ');
const toTsquery = (words: string) => sql`to_tsquery('simple', ${words})`;

const excerpt = (words: string) =>
  sql`ts_headline('simple', leads.text, ${toTsquery(words)}, 'StartSel="", StopSel="", MaxWords=16, MinWords=8')`;

const rank = (field: SQL) => sql`array_position(${sql.param(matchedField.options)}::text[], ${field})`;

function toFoundLead({ holder_id, username, full_name, field, text, ...lead }: FoundRow): FoundLead {
  return { ...lead, holder: { id: holder_id, username, fullName: full_name }, match: { field, text } };
}
