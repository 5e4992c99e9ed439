import { type SQL, sql } from 'drizzle-orm';
import type { ResponseBody } from '#contract/call.ts';
import { addDays, startOfDay } from '#contract/progress/calendar.ts';
import type { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import type { ReportFilter } from '#contract/reports/group.ts';
import { type Days, listDays, parseDay } from '#contract/reports/period.ts';
import type { Db } from '#server/kit/db/db.ts';
import { IS_REACHED_OUTCOME } from '#server/leads/list/funnel.sql.ts';
import { hasTraits } from '#server/leads/list/lead-filter.sql.ts';
import { NAME_OF_USER } from './person-name.sql.ts';

interface Period extends ReportFilter {
  days: Days;
  timeZone: string;
}

type Activity = Omit<ResponseBody<typeof getActivity>, 'days'>;
type Person = Activity['people'][number];
type Day = Activity['byDay'][number];
const NOTHING = { calls: 0, emails: 0, visits: 0, reached: 0 };

/** The contacts that were logged in a period, by person and by day. */
export async function countActivity(db: Db, period: Period): Promise<Activity> {
  const people = await db.execute<Person & Record<string, unknown>>(sql`
    select users.id, coalesce(${NAME_OF_USER}, 'Deleted accounts') as name, ${CONTACTS}
    ${loggedIn(period)} group by users.id order by users.id is null, lower(${NAME_OF_USER}), users.id`);
  const days = await db.execute<Day & Record<string, unknown>>(sql`
    select to_char(${toLocal(period)}, 'YYYY-MM-DD') as day, ${CONTACTS} ${loggedIn(period)} group by 1`);
  const counted = new Map(days.rows.map((row) => [row.day, row]));
  return { people: people.rows, byDay: listDays(period.days).map((day) => counted.get(day) ?? { day, ...NOTHING }) };
}

/** The calls of a period that have an outcome, by weekday and hour. */
export async function countCallTimes(db: Db, period: Period): Promise<ResponseBody<typeof getCallTimes>> {
  const { rows } = await db.execute<ResponseBody<typeof getCallTimes>[number] & Record<string, unknown>>(sql`
    select extract(isodow from ${toLocal(period)})::int as weekday, extract(hour from ${toLocal(period)})::int as hour,
      count(*)::int as calls, count(*) filter (where ${IS_REACHED_OUTCOME})::int as reached
    ${loggedIn(period)} and activity.type = 'call' and activity.outcome is not null group by 1, 2 order by 1, 2`);
  return rows;
}

const CONTACTS = sql`count(*) filter (where activity.type = 'call')::int as calls,
  count(*) filter (where activity.type = 'email')::int as emails,
  count(*) filter (where activity.type = 'meeting')::int as visits,
  count(*) filter (where ${IS_REACHED_OUTCOME})::int as reached`;

const toLocal = ({ timeZone }: Period): SQL => sql`activity.completed_at at time zone ${timeZone}`;

/** What counts is who logged a contact, not who holds the lead now. */
function loggedIn({ days, timeZone, user, ...traits }: Period): SQL {
  const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;
  const from = startOfDay(timeZone, parseDay(days.from));
  const to = startOfDay(timeZone, addDays(parseDay(days.to), 1));
  return sql`from contact_activities activity join user_businesses lead on lead.id = activity.user_business_id
    left join users on users.id = activity.created_by
    where activity.completed_at >= ${at(from)} and activity.completed_at < ${at(to)}
      and activity.type in ('call', 'email', 'meeting') and not lead.existing_customer and ${hasTraits(traits)}
      and ${user === undefined ? sql`true` : sql`activity.created_by = ${user}`}`;
}
