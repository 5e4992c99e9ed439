import { eq } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads } from '#server/schema/leads.ts';

/** A business that is the one of the item, not only like it. */
export async function describeBusiness(tx: Db, businessId: number) {
  const { id, name, town } = businesses;
  const [business] = await tx.select({ businessId: id, name, town }).from(businesses).where(eq(id, businessId));
  if (!business) throw new Error(`Business ${businessId} is gone`);
  return { ...business, reasons: [] };
}

export const listLeadUuids = (tx: Db, businessId: number) =>
  tx
    .select({ uuid: leads.uuid, userId: leads.userId })
    .from(leads)
    .where(eq(leads.businessId, businessId))
    .orderBy(leads.id);
