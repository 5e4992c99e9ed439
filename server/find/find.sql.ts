import { type SQL, sql } from 'drizzle-orm';
import { FIND_MAX_LEADS, FIND_MAX_USERS, type FoundLead, type FoundUser } from '#contract/find/find.calls.ts';
import { parseFindQuery } from '#contract/leads/find/find-query.ts';
import { foldText } from '#contract/leads/find/fold-text.ts';
import {
  cutExcerpt,
  explainMatch,
  type FindableLead,
  type LeadMatch,
  leadMatch,
} from '#contract/leads/find/lead-match.ts';
import { IMPORTED_TAG } from '#contract/leads/lead.ts';
import { FIELD_TYPES } from '#contract/leads/own-fields/field-types.ts';
import { readValue } from '#contract/leads/own-fields/own-field.ts';
import type { Viewer } from '#contract/users/user.ts';
import { readObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { hasCorrectableWord, isInName, isSimilarToText, matchesText, toTsquery } from './matches-text.sql.ts';
import { OWN_TEXTS } from './own-texts.sql.ts';
import { sampleText, type TextSample } from './sample-text.sql.ts';

/** How many leads of each kind are ranked: common words match hundreds of thousands. */
const MAX_RANKED = 500;
/** The index reads all leads of each tag, and of each choice of the team's own fields. */
const MAX_TAGS = 10;

/** The fields of the lead itself are explained by its values, a tag, a choice and an activity by their text. */
const RANKS = { name: 0, lead: 1, tag: 2, choice: 3, activity: 4 };

interface FoundRow extends Record<string, unknown>, Omit<FoundLead, 'holder' | 'match' | 'objections'>, FindableLead {
  place_id: string;
  holder_id: number;
  username: string;
  full_name: string;
  rank: number;
  text: string | null;
}

/** The best matches: those in the name first, then by the date of assignment. If there are none, similar ones. */
export async function findLeads(db: Db, viewer: Viewer, query: string) {
  const sample = await sampleText(db, query, viewer.role === 'user' ? viewer.id : undefined);
  const rows = await readFound(db, query, await buildMatches(db, viewer, query, sample));
  if (rows.length || !hasCorrectableWord(query)) return toFound(db, rows, query, 'exact');
  const isSimilar = isSimilarToText(query, sample.lookedUp);
  const similar = await readFound(db, query, [ofLeads(viewer, sql`${RANKS.lead}::int`, isSimilar)]);
  return toFound(db, similar, query, 'similar');
}

async function toFound(db: Db, rows: FoundRow[], query: string, matching: 'exact' | 'similar') {
  const shown = rows.slice(0, FIND_MAX_LEADS);
  const objections = await readObjections(db, shown.map(toContactable));
  return {
    leads: shown.map((row, nth) => ({ ...toFoundLead(row, query, matching), objections: objections[nth] ?? [] })),
    moreLeads: rows.length > FIND_MAX_LEADS,
    similar: matching === 'similar' && rows.length > 0,
  };
}

/** With both of its numbers: either may be the one that matched. */
const toContactable = ({ place_id: placeId, phone, internationalPhone, email }: FoundRow) => ({
  placeId,
  phone: [phone, internationalPhone].filter(Boolean).join(';'),
  email: email ?? undefined,
});

/** Users by username, full name or e-mail, those that begin with the text first. */
export async function findUsers(db: Db, query: string): Promise<FoundUser[]> {
  const { text, words } = parseFindQuery(query);
  if (!words.length) return [];
  const [anywhere, atStart] = [`%${text}%`, `${text}%`];
  const { rows } = await db.execute<FoundUser & Record<string, unknown>>(sql`
    select id, username, full_name as "fullName", email, role, active from users
    where deleted_at is null
      and (fold_text(username) like ${anywhere} or fold_text(full_name) like ${anywhere} or fold_text(email) like ${anywhere})
    order by active desc, fold_text(username) like ${atStart} or fold_text(full_name) like ${atStart} desc, lower(username)
    limit ${FIND_MAX_USERS}`);
  return rows;
}

/** A query of its own: with the tags as constants, the planner knows how many leads have them. */
async function findTags(db: Db, query: string): Promise<string[]> {
  const { text, words } = parseFindQuery(query);
  if (!words.length) return [];
  const { rows } = await db.execute<{ name: string }>(sql`
    select name from lead_tags where fold_text(name) like ${`%${text}%`} and name <> ${IMPORTED_TAG}
    order by fold_text(name) = ${text} desc, fold_text(name) like ${`${text}%`} desc, name limit ${MAX_TAGS}`);
  return rows.map(({ name }) => name);
}

/** The values with a choice whose name contains the text, and how a match is explained. */
async function findChoices(db: Db, query: string): Promise<{ isChosen: SQL; match: LeadMatch }[]> {
  const { text, words } = parseFindQuery(query);
  if (!words.length) return [];
  const fields = (await listFields(db)).filter(
    ({ type, archived }) => !archived && FIELD_TYPES[type].found === 'by choice',
  );
  const choices = fields.flatMap((field) => field.choices.map(({ label }) => ({ field, label })));
  const found = choices.filter(({ label }) => foldText(label).includes(text));
  return found.slice(0, MAX_TAGS).flatMap(({ field, label }) => {
    const read = readValue(field, label);
    if ('error' in read) return [];
    const isChosen = sql`lead.own_fields @> ${JSON.stringify({ [field.id]: read.value })}::jsonb`;
    return [{ isChosen, match: { field: 'ownField', name: field.name, text: label } }];
  });
}

/** Lists show a manager's own leads, but a manager may open every profile (`canSeeLead`), so this finds every lead. */
const visibleTo = (viewer: Viewer): SQL => (viewer.role === 'user' ? sql`lead.user_id = ${viewer.id}` : sql`true`);

/** The leads that match by their own values, by a tag, by a choice of the team's own fields and by an activity. */
async function buildMatches(db: Db, viewer: Viewer, query: string, sample: TextSample): Promise<SQL[]> {
  const inFields = sql`case when ${isInName(query)} then ${RANKS.name}::int else ${RANKS.lead}::int end`;
  const found = ofLeads(viewer, inFields, matchesText(query, sample.lookedUp));
  // Of a common text, the newest are ranked.
  const matches = [
    sample.common ? sql`${found} order by lead.assigned_at desc, lead.id desc limit ${MAX_RANKED}` : found,
  ];
  const tags = await findTags(db, query);
  if (tags.length) {
    const anyTag = sql`${sql.param(tags)}::text[]`;
    const first = sql`(select min(tag) from unnest(lead.tags) tag where tag = any (${anyTag}))`;
    matches.push(ofLeads(viewer, sql`${RANKS.tag}::int`, sql`lead.tags && ${anyTag}`, first));
  }
  const choices = await findChoices(db, query);
  if (choices.length) {
    const chosen = sql.join(
      choices.map(({ isChosen }) => isChosen),
      sql` or `,
    );
    const explained = choices.map(({ isChosen, match }) => sql`when ${isChosen} then ${JSON.stringify(match)}::text`);
    const first = sql`case ${sql.join(explained, sql` `)} end`;
    // As the index has it, which is partial.
    const isIndexed = sql`lead.own_fields <> '{}'`;
    matches.push(ofLeads(viewer, sql`${RANKS.choice}::int`, sql`${isIndexed} and (${chosen})`, first));
  }
  const words = toTsquery(parseFindQuery(query).words);
  if (words) matches.push(ofActivities(viewer, words));
  return matches;
}

const ofLeads = (viewer: Viewer, rank: SQL, condition: SQL, text = sql`null::text`) =>
  sql`select lead.id, ${rank} as rank, ${text} as text from user_businesses lead where ${condition} and ${visibleTo(viewer)}`;

/** The leads are joined only where they restrict: for a common word that would be the whole table. */
const ofActivities = (viewer: Viewer, words: SQL) =>
  sql`select activity.user_business_id as id, ${RANKS.activity}::int as rank, activity.description as text
    from contact_activities activity
    ${viewer.role === 'user' ? sql`join user_businesses lead on lead.id = activity.user_business_id` : sql``}
    where to_tsvector('simple', fold_text(activity.description)) @@ ${words} and ${visibleTo(viewer)}`;

async function readFound(db: Db, query: string, matches: SQL[]): Promise<FoundRow[]> {
  // The CTEs have no LIMIT: with one, the planner expects to find its rows soon, and scans the table even for a rare word.
  const ctes = matches.map((match, nth) => sql`${sql.raw(`match${nth}`)} as materialized (${match})`);
  const ranked = matches.map((_, nth) => sql`(select * from ${sql.raw(`match${nth}`)} limit ${MAX_RANKED})`);
  const { rows } = await db.execute<FoundRow>(sql`
    with ${sql.join(ctes, sql`, `)}, best as (
      select distinct on (id) id, rank, text from (${sql.join(ranked, sql` union all `)}) found order by id, rank
    ), top as (
      select best.*, row_number() over (order by rank, lead.search_name like search_text(${`${escapeLike(query)}%`}) desc,
        lead.assigned_at desc, lead.id desc) as nth
      from best join user_businesses lead using (id) order by nth limit ${FIND_MAX_LEADS + 1}
    )
    select lead.id, lead.uuid, lead.business_name as name, lead.town, lead.status, lead.archived,
      lead.existing_customer as "existingCustomer", holder.id as holder_id, holder.username, holder.full_name,
      top.rank, top.text, lead.notes, lead.custom_fields ->> 'email' as email,
      lead.custom_fields ->> 'contactPerson' as "contactPerson", business.formatted_address as address, business.place_id, business.phone,
      business.international_phone as "internationalPhone", ${OWN_TEXTS}
    from top join user_businesses lead using (id) join users holder on holder.id = lead.user_id
      join businesses business on business.id = lead.business_id
    order by top.nth`);
  return rows;
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

function toFoundLead(row: FoundRow, query: string, matching: 'exact' | 'similar'): Omit<FoundLead, 'objections'> {
  const { id, uuid, name, town, status, archived, existingCustomer } = row;
  const holder = { id: row.holder_id, username: row.username, fullName: row.full_name };
  return { id, uuid, name, town, status, archived, existingCustomer, holder, match: explain(row, query, matching) };
}

function explain(row: FoundRow, query: string, matching: 'exact' | 'similar'): LeadMatch {
  if (row.rank === RANKS.tag) return { field: 'tag', text: row.text ?? '' };
  if (row.rank === RANKS.choice) return leadMatch.parse(JSON.parse(row.text ?? ''));
  if (row.rank !== RANKS.activity) return explainMatch(query, row, matching);
  return { field: 'activity', text: cutExcerpt(row.text ?? '', parseFindQuery(query).words) };
}
