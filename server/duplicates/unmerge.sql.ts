import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import type { StoredRow } from '#server/leads/merged-rows.sql.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';

/** Leads before businesses, as in other calls. */
export async function lockMergedRows(tx: Db, stored: StoredRow[]) {
  for (const table of ['user_businesses', 'businesses'] as const) {
    const ids = stored.flatMap((row) => (row.table === table ? [row.id] : []));
    await tx.execute(sql`
      select id from ${sql.raw(table)} where id = any (${sql.param(ids)}::int[]) order by id for update`);
  }
}

export const listUserIds = async (tx: Db) => (await tx.select({ id: users.id }).from(users)).map(({ id }) => id);

export const listLeads = (tx: Db, ids: number[]) =>
  tx.select({ id: leads.id, userId: leads.userId }).from(leads).where(inArray(leads.id, ids));

export async function listNames(tx: Db, ids: number[]): Promise<string[]> {
  const rows = await tx
    .select({ name: businesses.name })
    .from(businesses)
    .where(inArray(businesses.id, ids))
    .orderBy(businesses.id);
  return rows.map(({ name }) => name);
}

export async function readName(tx: Db, { table, id }: StoredRow): Promise<string> {
  const [row] =
    table === 'businesses'
      ? await tx.select({ name: businesses.name }).from(businesses).where(eq(businesses.id, id))
      : await tx.select({ name: leads.businessName }).from(leads).where(eq(leads.id, id));
  return row?.name ?? '';
}

/** A follow-up that was planned or completed since decides about the next step. */
export const restoreNextSteps = (tx: Db, leadIds: number[]) =>
  tx.execute(sql`
    update user_businesses lead set next_step_at = open.scheduled_at, next_step_type = open.type
    from user_businesses l left join contact_activities open
      on open.user_business_id = l.id and open.scheduled_at is not null and open.completed_at is null
    where lead.id = l.id and l.id = any (${sql.param(leadIds)}::int[])
      and (l.next_step_at, l.next_step_type) is distinct from (open.scheduled_at, open.type)`);
