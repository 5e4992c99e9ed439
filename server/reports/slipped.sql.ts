import { sql } from 'drizzle-orm';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import type { ReportFilter } from '#contract/reports/group.ts';
import { type SlippedKind, slippedKind, toSlippedParams } from '#contract/reports/slipped.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { ListTime } from '#server/leads/list/lead-dates.sql.ts';
import { matchesFilter } from '#server/leads/list/lead-filter.sql.ts';
import { NAME_OF_USER } from './person-name.sql.ts';

type Row = { id: number; name: string } & Record<SlippedKind, number>;

/** The leads that slipped, by holder. The condition of each figure is that of the list which it opens. */
export async function countSlipped(db: Db, viewer: Viewer, filter: ReportFilter, time: ListTime): Promise<Row[]> {
  const counts = slippedKind.options.map((kind) => {
    const list = leadFilter.parse(toSlippedParams(viewer, filter, kind));
    return sql`select ${kind}::text as kind, lead.user_id, count(*) as leads from user_businesses lead
      where ${matchesFilter(viewer, list, time)} group by lead.user_id`;
  });
  const { rows } = await db.execute<Row & Record<string, unknown>>(sql`
    select users.id, ${NAME_OF_USER} as name, ${sql.join(slippedKind.options.map(sumOf), sql`, `)}
    from (${sql.join(counts, sql` union all `)}) counted join users on users.id = counted.user_id
    group by users.id order by lower(${NAME_OF_USER}), users.id`);
  return rows;
}

const sumOf = (kind: SlippedKind) =>
  sql`coalesce(sum(leads) filter (where kind = ${kind}), 0)::int as ${sql.identifier(kind)}`;
