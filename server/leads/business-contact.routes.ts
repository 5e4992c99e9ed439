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
import type { Viewer } from '#contract/users/user.ts';
import { type Recorded, recordRequest } from '#server/change-log/record-changes.ts';
import { readObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { readMadeAt } from '#server/kit/http/made-at.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import {
  type Contact,
  changeContact,
  lockContact,
  toTypedPhone,
  toTypedWebsite,
} from './contact/change-contact.sql.ts';
import { listLeadsOn, toLeadBusiness } from './leads.sql.ts';
import { NOT_YOUR_LEAD } from './require-lead.ts';
import { staleField } from './sent-later/require-same.ts';

/** Website, phone and type belong to the business; its holders and admins may change them. */
export function businessContactRoutes(app: App, { db, guard, clock }: Deps) {
  serve(app, guard, changeWebsite, ({ params, body, ...ctx }) =>
    changeBusiness(ctx, keptBusiness(eq(place.id, params.businessId)), (contact) => {
      const { website, before } = body();
      const typed = toTypedWebsite(website);
      requireSameContact('website', contact.website, typed.website, before);
      return typed;
    }),
  );

  serve(app, guard, changeWebsiteByPlace, ({ params, body, ...ctx }) =>
    changeBusiness(ctx, keptBusiness(eq(place.placeId, params.placeId)), () => toTypedWebsite(body().website)),
  );

  serve(app, guard, changePhone, ({ params, body, ...ctx }) =>
    changeBusiness(ctx, keptBusiness(eq(place.id, params.businessId)), (contact) => {
      const { phone, before } = body();
      requireSameContact('phone', contact.phone, phone, before);
      return toTypedPhone(phone);
    }),
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

  function changeBusiness(
    ctx: Recorded,
    condition: SQL,
    readChanges: (before: Contact) => Partial<Contact>,
  ): Promise<LeadBusiness> {
    return db.transaction((tx) =>
      runOnce(tx, ctx, async () => {
        const before = await lockContact(tx, condition);
        if (!before) throw new Refusal('not_found', 'This business no longer exists');
        await requireHolder(tx, ctx.viewer, before.id);
        const now = clock();
        const batch = { kind: 'details', now, madeAt: readMadeAt(ctx.request, now) } as const;
        const changed = await recordRequest(tx, ctx, batch, (log) =>
          changeContact(tx, before, readChanges(before), log),
        );
        await publishLeads(tx, await listLeadsOn(tx, before.id));
        const [objections = []] = await readObjections(tx, [changed]);
        return { ...toLeadBusiness(changed), objections };
      }),
    );
  }
}

/** Refuses to replace what the client has not seen. */
function requireSameContact(field: 'phone' | 'website', current: string | null, next: string | null, before?: string) {
  if (before !== undefined && ![before, next ?? ''].includes(current ?? ''))
    throw staleField({ [field]: current ?? '' });
}

const place = alias(businesses, 'place');

/** The business itself, or the one that it was merged into. */
const keptBusiness = (condition: SQL) =>
  sql`${businesses.id} = (select coalesce(${place.mergedInto}, ${place.id}) from ${businesses} ${sql.raw('place')} where ${condition})`;

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
