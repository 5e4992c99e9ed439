import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';

/** What of a lead was decided after a contact that its device sent later: the contact does not take it back. */
export interface ChangedSince {
  status: boolean;
  followUp: boolean;
}

export const NOTHING_SINCE: ChangedSince = { status: false, followUp: false };

export async function readChangedSince(tx: Db, leadId: number, madeAt: Date): Promise<ChangedSince> {
  const { rows } = await tx.execute<ChangedSince & Record<string, unknown>>(sql`
    select coalesce(bool_or(change.field = 'status'), false) as status,
      coalesce(bool_or(change.field = 'followUp'), false) as "followUp"
    from changes change join change_batches batch on batch.id = change.batch_id
    where change.lead_id = ${leadId} and coalesce(batch.made_at, batch.at) > ${madeAt.toISOString()}::timestamptz`);
  return rows[0] ?? NOTHING_SINCE;
}
