import { type SQL, sql } from 'drizzle-orm';
import type { ResponseBody } from '#contract/call.ts';
import { addDays, startOfDay } from '#contract/progress/calendar.ts';
import {
  addUpContacts,
  type ContactCounts,
  type getActivity,
  type getCallTimes,
} from '#contract/reports/activity.calls.ts';
import type { ReportFilter } from '#contract/reports/group.ts';
import { type Days, parseDay } from '#contract/reports/period.ts';
import { chooseSpan, listSpans } from '#contract/reports/span.ts';
import type { Db } from '#server/kit/db/db.ts';
import { hasTraits } from '#server/leads/list/lead-filter.sql.ts';
import { IS_REACHED_OUTCOME } from '#server/leads/list/reports/funnel.sql.ts';
import { NAME_OF_USER } from './person-name.sql.ts';

export interface Period extends ReportFilter {
  days: Days;
  timeZone: string;
}

type People = ResponseBody<typeof getActivity>['people'];

interface Row extends ContactCounts, Record<string, unknown> {
  id: number | null;
  name: string;
  /** The first day of a day, week or month of the period; null for all of the period before. */
  first: string | null;
}

const NOTHING: ContactCounts = { calls: 0, emails: 0, visits: 0, reached: 0 };

const COUNTS = sql`count(*) filter (where activity.type = 'call') as calls,
  count(*) filter (where activity.type = 'email') as emails,
  count(*) filter (where activity.type = 'meeting') as visits,
  count(*) filter (where ${IS_REACHED_OUTCOME}) as reached`;

/** The contacts that were logged in a period, by person and span, and those of the period before by person. */
export async function countActivity(db: Db, period: Period & { before: Days }): Promise<People> {
  const { before, ...now } = period;
  // By day first: each contact has a day, and few days have a month to be found.
  const { rows } = await db.execute<Row>(sql`
    select users.id, coalesce(${NAME_OF_USER}, 'Deleted accounts') as name,
      to_char(date_trunc(${chooseSpan(now.days)}, contact.day::timestamp), 'YYYY-MM-DD') as first, sum(calls)::int as calls,
      sum(emails)::int as emails, sum(visits)::int as visits, sum(reached)::int as reached
    from (
      select activity.created_by, (${toLocal(now)})::date as day, ${COUNTS} from ${loggedIn(now)} group by 1, 2
      union all
      select activity.created_by, null, ${COUNTS} from ${loggedIn({ ...now, days: before })} group by 1
    ) contact left join users on users.id = contact.created_by
    group by users.id, 3 order by users.id is null, lower(${NAME_OF_USER}), users.id, 3`);
  const spans = listSpans(now.days);
  const people = new Map<number | null, People[number]>();
  for (const { id, name, first, ...counts } of rows) {
    const person = people.get(id) ?? { id, name, ...NOTHING, before: NOTHING, spans: [] };
    const span = first !== null && spans.find(({ to }) => first <= to);
    if (span) person.spans.push({ ...span, ...counts });
    else person.before = counts;
    people.set(id, person);
  }
  return [...people.values()].map((person) => ({ ...person, ...addUpContacts(person.spans) }));
}

/** The calls of a period that have an outcome, by weekday and hour. */
export async function countCallTimes(db: Db, period: Period): Promise<ResponseBody<typeof getCallTimes>> {
  // By hour first: taking the weekday out of a time costs as much as reading the call.
  const { rows } = await db.execute<ResponseBody<typeof getCallTimes>[number] & Record<string, unknown>>(sql`
    select extract(isodow from at)::int as weekday, extract(hour from at)::int as hour,
      sum(calls)::int as calls, sum(reached)::int as reached
    from (
      select date_trunc('hour', ${toLocal(period)}) as at,
        count(*) as calls, count(*) filter (where ${IS_REACHED_OUTCOME}) as reached
      from ${loggedIn(period)} and ${IS_TIMED_CALL} group by 1
    ) each_hour group by 1, 2 order by 1, 2`);
  return rows;
}

/** What the best time to call is counted from. */
export const IS_TIMED_CALL = sql`activity.type = 'call' and activity.outcome is not null`;

/** On the team's clock. */
export const toLocal = ({ timeZone }: Pick<Period, 'timeZone'>): SQL =>
  sql`activity.completed_at at time zone ${timeZone}`;

/** What counts is who logged a contact, not who holds the lead now. */
export function loggedIn({ days, timeZone, user, ...traits }: Period): SQL {
  const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;
  const from = startOfDay(timeZone, parseDay(days.from));
  const to = startOfDay(timeZone, addDays(parseDay(days.to), 1));
  return sql`contact_activities activity
    where activity.completed_at >= ${at(from)} and activity.completed_at < ${at(to)}
      and activity.type in ('call', 'email', 'meeting') and ${isOfCounted(traits)}
      and ${user === undefined ? sql`true` : sql`activity.created_by = ${user}`}`;
}

/** Of a lead with these traits that is no existing customer. Without traits only the customers are read, who are few. */
function isOfCounted(filter: Omit<ReportFilter, 'user'>): SQL {
  const traits = hasTraits(filter);
  const lead = sql`select from user_businesses lead where lead.id = activity.user_business_id`;
  return traits
    ? sql`exists (${lead} and not lead.existing_customer and ${traits})`
    : sql`not exists (${lead} and lead.existing_customer)`;
}
