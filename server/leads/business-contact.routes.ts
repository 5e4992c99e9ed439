import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { Refusal } from '#contract/errors.ts';
import type { LeadBusiness } from '#contract/leads/lead.ts';
import {
  changeBusinessType,
  changePhone,
  changeWebsite,
  changeWebsiteByPlace,
  confirmPhone,
} from '#contract/leads/leads.calls.ts';
import { parseWebsite } from '#contract/leads/website.ts';
import type { Viewer } from '#contract/users/user.ts';
import { type Recorded, recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { businessColumns, listLeadsOn, toLeadBusiness } from './leads.sql.ts';
import { NOT_YOUR_LEAD } from './require-lead.ts';

/** Website, phone and type belong to the business; its holders and admins may change them. */
export function businessContactRoutes(app: App, { db, guard, clock }: Deps) {
  serve(app, guard, changeWebsite, ({ params, body, ...ctx }) =>
    changeBusiness(ctx, keptBusiness(eq(place.id, params.businessId)), () => requireWebsite(body().website)),
  );

  serve(app, guard, changeWebsiteByPlace, ({ params, body, ...ctx }) =>
    changeBusiness(ctx, keptBusiness(eq(place.placeId, params.placeId)), () => requireWebsite(body().website)),
  );

  serve(app, guard, changePhone, ({ params, body, ...ctx }) =>
    changeBusiness(ctx, keptBusiness(eq(place.id, params.businessId)), () => ({
      phone: body().phone || null,
      phoneTyped: true,
    })),
  );

  serve(app, guard, confirmPhone, ({ params, body, ...ctx }) =>
    changeBusiness(ctx, keptBusiness(eq(place.id, params.businessId)), () => {
      body();
      return { wrongPhone: null };
    }),
  );

  serve(app, guard, changeBusinessType, ({ params, body, ...ctx }) =>
    changeBusiness(ctx, keptBusiness(eq(place.id, params.businessId)), () => ({
      type: body().type,
      typeGuessed: false,
    })),
  );

  function changeBusiness(ctx: Recorded, condition: SQL, readChanges: () => Partial<Contact>): Promise<LeadBusiness> {
    return db.transaction(async (tx) => {
      const [before] = await tx.select(contactColumns).from(businesses).where(condition).for('update');
      if (!before) throw new Refusal('not_found', 'This business no longer exists');
      await requireHolder(tx, ctx.viewer, before.id);
      const changes = readChanges();
      const after = { ...before, ...changes };
      await recordRequest(tx, ctx, { kind: 'details', now: clock() }, async (log) => {
        log.addBusiness(before.id, 'phone', { before: pickPhone(before), after: pickPhone(after) });
        log.addBusiness(before.id, 'website', { before: pickWebsite(before), after: pickWebsite(after) });
        log.addBusiness(before.id, 'type', { before: pickType(before), after: pickType(after) });
        log.addBusiness(before.id, 'wrongPhone', { before: before.wrongPhone, after: after.wrongPhone });
      });
      const [changed] = await tx
        .update(businesses)
        .set({ ...changes, updatedAt: sql`now()` })
        .where(eq(businesses.id, before.id))
        .returning(businessColumns);
      if (!changed) throw new Error(`Business ${before.id} was deleted while it was locked`);
      await publishLeads(tx, await listLeadsOn(tx, before.id));
      return toLeadBusiness(changed);
    });
  }
}

const place = alias(businesses, 'place');

/** The business itself, or the one that it was merged into. */
const keptBusiness = (condition: SQL) =>
  sql`${businesses.id} = (select coalesce(${place.mergedInto}, ${place.id}) from ${businesses} ${sql.raw('place')} where ${condition})`;

const { id, phone, phoneTyped, website, websiteTyped, wrongPhone, type, typeGuessed } = businesses;
const contactColumns = { id, phone, phoneTyped, website, websiteTyped, wrongPhone, type, typeGuessed };
type Contact = Pick<typeof businesses.$inferSelect, keyof typeof contactColumns>;
const pickPhone = (business: Contact) => ({ text: business.phone, typed: business.phoneTyped });
const pickWebsite = (business: Contact) => ({ text: business.website, typed: business.websiteTyped });
const pickType = (business: Contact) => ({ label: business.type, guessed: business.typeGuessed });

function requireWebsite(text: string) {
  const website = parseWebsite(text);
  if (website === undefined || (website !== null && !URL.canParse(website))) {
    throw new Refusal('invalid_url', 'Please enter a valid website address');
  }
  return { website, websiteTyped: true };
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
