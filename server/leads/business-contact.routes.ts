import { and, eq, type SQL, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { changePhone, changeWebsite, changeWebsiteByPlace, confirmPhone } from '#contract/leads/leads.calls.ts';
import { parseWebsite } from '#contract/leads/website.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads } from '#server/kit/db/schema.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { businessColumns, listLeadsOn, toLeadBusiness } from './leads.sql.ts';
import { NOT_YOUR_LEAD } from './require-lead.ts';

/** Website and phone belong to the business; its holders and admins may change them. */
export function businessContactRoutes(app: App, { db, guard }: Deps) {
  serve(app, guard, changeWebsite, ({ viewer, params, body }) =>
    changeBusiness(db, viewer, eq(businesses.id, params.businessId), () => requireWebsite(body().website)),
  );

  serve(app, guard, changeWebsiteByPlace, ({ viewer, params, body }) =>
    changeBusiness(db, viewer, eq(businesses.placeId, params.placeId), () => requireWebsite(body().website)),
  );

  serve(app, guard, changePhone, ({ viewer, params, body }) =>
    changeBusiness(db, viewer, eq(businesses.id, params.businessId), () => ({
      phone: body().phone || null,
      phoneTyped: true,
    })),
  );

  serve(app, guard, confirmPhone, ({ viewer, params, body }) =>
    changeBusiness(db, viewer, eq(businesses.id, params.businessId), () => {
      body();
      return { wrongPhone: null };
    }),
  );
}

function requireWebsite(text: string) {
  const website = parseWebsite(text);
  if (website === undefined || (website !== null && !URL.canParse(website))) {
    throw new Refusal('invalid_url', 'Please enter a valid website address');
  }
  return { website, websiteTyped: true };
}

async function changeBusiness(
  db: Db,
  viewer: Viewer,
  condition: SQL,
  readChanges: () => Partial<typeof businesses.$inferInsert>,
) {
  return db.transaction(async (tx) => {
    const [business] = await tx.select({ id: businesses.id }).from(businesses).where(condition).for('update');
    if (!business) throw new Refusal('not_found', 'This business no longer exists');
    await requireHolder(tx, viewer, business.id);
    const [changed] = await tx
      .update(businesses)
      .set({ ...readChanges(), updatedAt: sql`now()` })
      .where(eq(businesses.id, business.id))
      .returning(businessColumns);
    if (!changed) throw new Error(`Business ${business.id} was deleted while it was locked`);
    await publishLeads(tx, await listLeadsOn(tx, business.id));
    return toLeadBusiness(changed);
  });
}

async function requireHolder(tx: Db, viewer: Viewer, businessId: number) {
  if (viewer.role === 'admin') return;
  const [lead] = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.businessId, businessId), eq(leads.userId, viewer.id)))
    // Waits for a concurrent reassignment, after which the viewer may no longer hold the lead.
    .for('share');
  if (!lead) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);
}
