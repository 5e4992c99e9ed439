import { isDeepStrictEqual } from 'node:util';
import { type SQL, sql } from 'drizzle-orm';
import { DISTRICT } from '#contract/districts/district.ts';
import { MAX_ORIGIN_LENGTH } from '#contract/leads/fields/lead-origin.ts';
import { IMPORTED_TAG } from '#contract/leads/lead.ts';
import { type LeadFilter, type LeadScope, leadFilter } from '#contract/leads/lead-filter.ts';
import { listsEveryLead } from '#contract/leads/lead-policy.ts';
import { toViewerFilter } from '#contract/leads/viewer-filter.ts';
import type { Program } from '#contract/users/program.ts';
import type { Viewer } from '#contract/users/user.ts';
import { isSimilarToText, matchesText } from '#server/find/matches-text.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { needsAttention } from './attention.sql.ts';
import { isAssignedIn, isContactedIn, isPlannedFor, type ListTime } from './lead-dates.sql.ts';
import { hasOwnValues } from './own-fields.sql.ts';
import { cameTo, hasNewestOutcome } from './reports/funnel.sql.ts';
import { isIn, resolveStatusOn } from './reports/status-on.sql.ts';

// The list's SQL is text with parameters, with `lead` as the alias of user_businesses: building it from column objects
// took longer than many of these queries.

/** What a viewer sees in lists: every lead, or their own. A program that is limited to a saved view sees those of them. */
export function inView(viewer: Viewer, scope: LeadScope): SQL {
  const listed = listsEveryLead(viewer, scope) ? sql`true` : heldBy(viewer.id);
  return viewer.program?.fence ? and([listed, inFence(viewer, viewer.program.fence)]) : listed;
}

/**
 * The leads of a program's saved view, as the list shows them to its user. Except where it names a user whose leads they may
 * not see: the screen shows their own instead, which the view never had.
 */
function inFence({ id, role }: Viewer, fence: NonNullable<Program['fence']>): SQL {
  // The guard has refused it.
  if (typeof fence === 'string') return sql`false`;
  const { settings, ...time } = fence;
  const filter = toViewerFilter({ id, role }, settings);
  const named = leadFilter.safeParse(settings).data?.user;
  return filter ? matchesFilter({ id, role }, { ...filter, user: named }, time) : sql`false`;
}

/** Whether a program may see a lead that its user may see. */
export async function isInFence(db: Db, viewer: Viewer, leadId: number): Promise<boolean> {
  const fence = viewer.program?.fence;
  if (!fence) return true;
  const inView = sql`select from user_businesses lead where lead.id = ${leadId} and ${inFence(viewer, fence)}`;
  return (await db.execute(inView)).rows.length > 0;
}

export const heldBy = (userId: number): SQL => sql`lead.user_id = ${userId}`;

const beyondHolder = leadFilter.omit({ user: true, team: true });
const DEFAULTS = beyondHolder.parse({});

/** Open leads without any other filter, of everyone or of one user: the conditions of the partial indexes. */
export const isDefaultView = (filter: LeadFilter): boolean =>
  beyondHolder.keyof().options.every((name) => isDeepStrictEqual(filter[name], DEFAULTS[name]));

/** The WHERE of a list. */
export function matchesFilter(viewer: Viewer, filter: LeadFilter, time: ListTime, lookedUp?: string[]): SQL {
  const matches = matchesNow(viewer, filter, time, lookedUp);
  return filter.statusOn
    ? and([matches, isIn(resolveStatusOn(viewer, filter, time), inView(viewer, filter))])
    : matches;
}

/**
 * Besides what leads were on a past day. Existing customers, where shown, are not filtered by status, tag and town; those of a
 * past day are, because they were none then.
 */
export function matchesNow(viewer: Viewer, filter: LeadFilter, time: ListTime, lookedUp?: string[]): SQL {
  const { user, q, status, tags, types, town } = filter;
  const always = [inView(viewer, filter)];
  if (user !== undefined) always.push(heldBy(user));
  if (q) always.push(filter.similar ? isSimilarToText(q, lookedUp) : matchesText(q, lookedUp));
  if (filter.district) always.push(inDistrict(filter.district));
  if (types.length) always.push(isOfType(types));
  if (filter.notification !== undefined) always.push(inNotification(viewer, filter.notification));
  if (filter.changes) always.push(inBatch(filter.changes));
  if (filter.attention) always.push(needsAttention(filter.attention, time.now));
  if (filter.step) always.push(cameTo(filter.step));
  if (filter.outcome) always.push(hasNewestOutcome(filter.outcome));
  if (filter.contacted === 'never') always.push(sql`lead.last_contacted_at is null`);
  always.push(...isContactedIn(filter, time), ...isAssignedIn(filter, time));
  if (filter.followUp) always.push(isPlannedFor(filter.followUp, time));
  always.push(...hasFacts(filter));
  if (filter.own) always.push(...hasOwnValues(filter.own));
  if (!filter.archived) always.push(sql`not lead.archived`);
  if (filter.customers === 'only') return and([...always, sql`lead.existing_customer`]);

  const unlessExisting: SQL[] = [];
  if (status.length) unlessExisting.push(isAnyOf(sql`lead.status`, status));
  // Written exactly as in the partial indexes, so that the planner uses them.
  if (filter.hideClosed) unlessExisting.push(sql`lead.status not in ('closed_won', 'closed_lost')`);
  if (tags.length) unlessExisting.push(isTagged(tags));
  if (town) unlessExisting.push(sql`lead.search_town = search_text(${town})`);

  if (!filter.existing) return and([...always, sql`not lead.existing_customer`, ...unlessExisting]);
  if (filter.statusOn) return and([...always, ...unlessExisting]);
  return unlessExisting.length
    ? and([...always, sql`(lead.existing_customer or ${and(unlessExisting)})`])
    : and(always);
}

/** What a lead and its business are: the filters of a report besides the holder. Undefined: none is in use. */
export function hasTraits(filter: Pick<LeadFilter, 'types' | 'district' | 'tags'> & Facts): SQL | undefined {
  const conditions = hasFacts(filter);
  if (filter.district) conditions.push(inDistrict(filter.district));
  if (filter.types.length) conditions.push(isOfType(filter.types));
  if (filter.tags.length) conditions.push(isTagged(filter.tags));
  return conditions.length ? and(conditions) : undefined;
}

const isOfType = (types: string[]) => isAnyOf(sql`lead.business_type`, types);
const isTagged = (tags: string[]) => sql`lead.tags && ${sql.param(tags)}::text[]`;

/** With one value, the planner can read an index in the order of the list. */
const isAnyOf = (column: SQL, values: readonly string[]): SQL =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any (${sql.param(values)}::text[])`;

/** The source of a lead as the filter names it: "search", "file:spring.csv", "none". */
const ORIGIN_KEY = sql`coalesce((lead.source ->> 'kind') || coalesce(':' || (lead.source ->> 'name'), ''), 'none')`;

/** As in user_businesses_origin_idx, which cannot have texts of any length. */
export const INDEXED_ORIGIN_KEY = sql`left(${ORIGIN_KEY}, ${sql.raw(String(MAX_ORIGIN_LENGTH))})`;

/** Without a tag of the team's: "Imported" is the product's. */
export const HAS_NO_TAG = sql`lead.tags <@ ${sql.param([IMPORTED_TAG])}::text[]`;

type FactKey = 'hasPhone' | 'hasEmail' | 'hasWebsite' | 'hasType' | 'hasDistrict' | 'hasTag' | 'source' | 'origin';
type Facts = Partial<Pick<LeadFilter, FactKey>>;

/** How the lead can be reached, and where it came from: most of it in one small index. */
function hasFacts({ hasPhone, hasEmail, hasWebsite, hasType, hasDistrict, hasTag, source, origin }: Facts): SQL[] {
  const conditions: SQL[] = [];
  if (hasPhone !== undefined) conditions.push(sql`lead.has_phone = ${hasPhone}`);
  if (hasEmail !== undefined) conditions.push(sql`lead.has_email = ${hasEmail}`);
  if (hasWebsite !== undefined) conditions.push(sql`lead.has_website = ${hasWebsite}`);
  if (hasType !== undefined)
    conditions.push(hasType ? sql`lead.business_type is not null` : sql`lead.business_type is null`);
  if (hasDistrict !== undefined)
    conditions.push(hasDistrict ? sql`lead.district is not null` : sql`lead.district is null`);
  if (hasTag !== undefined) conditions.push(hasTag ? sql`not (${HAS_NO_TAG})` : HAS_NO_TAG);
  if (origin) conditions.push(sql`${INDEXED_ORIGIN_KEY} = ${origin}`);
  if (source) conditions.push(sql`lead.imported = ${source === 'import'}`);
  return conditions;
}

/** In a district or in all districts of an area, which are a range: ":" is the character after "9". */
const inDistrict = (code: string): SQL =>
  DISTRICT.test(code)
    ? sql`lead.district = ${code}`
    : sql`lead.district >= ${`${code}0`} and lead.district < ${`${code}:`}`;

const inNotification = (viewer: Viewer, id: number): SQL =>
  sql`lead.id = any ((select lead_ids from notifications where id = ${id} and user_id = ${viewer.id})::int[])`;

const inBatch = (batchId: string): SQL => sql`lead.id = any (array(
  select c.lead_id from changes c where c.batch_id = ${batchId} and c.lead_id is not null
  union select held.id from changes c join user_businesses held on held.business_id = c.business_id where c.batch_id = ${batchId}))`;

const and = (conditions: SQL[]) => sql.join(conditions, sql` and `);
