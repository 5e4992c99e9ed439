import { eq } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { UpsertItem } from '#contract/import/upsert.ts';
import { DETAIL_KEYS } from '#contract/leads/fields/detail-fields.ts';
import { type CustomFields, isReservedTag, type Lead } from '#contract/leads/lead.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { toTypeColumns } from '#server/business-types/classify-business.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { reservedTag } from '#server/leads/assign-business.ts';
import * as change from '#server/leads/change-lead.sql.ts';
import { type Contact, changeContact, lockContact } from '#server/leads/contact/change-contact.sql.ts';
import { findLead } from '#server/leads/leads.sql.ts';
import { checkOwnValues } from '#server/leads/own-values/check-own-values.ts';
import { listMissingToWin } from '#server/leads/own-values/missing-to-win.ts';
import { NOT_YOUR_LEAD } from '#server/leads/require-lead.ts';
import { businesses } from '#server/schema/leads.ts';

interface Context {
  viewer: Viewer;
  now: Date;
  log: ChangeLog;
}

/** Changes what an item sends of a locked lead and its business. Returns the same lead where nothing differs. */
export async function changeItem(tx: Db, lead: Lead, item: UpsertItem, context: Context) {
  const { viewer, now, log } = context;
  if (!canChangeLead(viewer, lead)) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);
  const { changed: contactChanged, ignored } = await changeBusiness(tx, lead.businessId, item, log);
  let changed = lead;
  const details = differing(lead, item.customFields ?? {});
  if (details) changed = await change.mergeCustomFields(tx, changed, details, log);
  if (item.ownFields) {
    const checked = await checkOwnValues(tx, item.ownFields, 'ownFields');
    changed = (await change.setOwnValues(tx, [changed], checked, log))[0] ?? changed;
  }
  if (item.status !== undefined) {
    const missing = (await listMissingToWin(tx, [changed], item.status)).get(lead.id);
    if (missing) throw new Refusal('field_required', missing);
    changed = (await change.setStatus(tx, [changed], item.status, { now, log }))[0] ?? changed;
  }
  for (const tag of item.tags ?? []) {
    if (isReservedTag(tag)) throw reservedTag();
    const tagged = await change.addTag(tx, changed, tag, log);
    if (!tagged) throw new Refusal('validation_failed', 'A business can have at most 30 tags');
    changed = tagged;
  }
  if (item.notes !== undefined) {
    changed = await change.setNotes(tx, changed, item.notes, { viewerId: viewer.id, log });
  }
  const isChanged = changed !== lead || contactChanged;
  return { isChanged, ignored, lead: (isChanged && (await findLead(tx, { id: lead.id }))) || lead };
}

/** The details that are not as they are sent. */
function differing({ customFields }: Lead, sent: CustomFields): CustomFields | undefined {
  const keys = DETAIL_KEYS.filter((key) => sent[key] !== undefined && sent[key] !== (customFields[key] ?? ''));
  return keys.length ? Object.fromEntries(keys.map((key) => [key, sent[key]])) : undefined;
}

/** What says where and who a business is, is changed by merges alone; users change how it is reached and what it is. */
export async function changeBusiness(tx: Db, businessId: number, item: UpsertItem, log: ChangeLog) {
  const [business] = await tx
    .select({ name: businesses.name, address: businesses.formattedAddress, town: businesses.town })
    .from(businesses)
    .where(eq(businesses.id, businessId));
  const before = await lockContact(tx, eq(businesses.id, businessId));
  if (!business || !before) throw new Error(`Business ${businessId} was deleted while its lead was locked`);
  const ignored: string[] = (['name', 'address', 'town'] as const).filter(
    (key) => item[key] !== undefined && item[key] !== (business[key] ?? ''),
  );
  if (item.position) ignored.push('position');
  const changes: Partial<Contact> = {};
  if (item.phone !== undefined && item.phone !== (before.phone ?? '')) {
    Object.assign(changes, { phone: item.phone || null, phoneTyped: true });
  }
  if (item.website !== undefined && item.website !== (before.website ?? '')) {
    Object.assign(changes, { website: item.website || null, websiteTyped: true });
  }
  if (item.businessType !== undefined) {
    const { type, typeGuessed } = toTypeColumns({ types: [item.businessType], name: '' });
    if (type === null && item.businessType !== '') ignored.push('businessType');
    else if (type !== before.type && !typeGuessed) Object.assign(changes, { type, typeGuessed });
    else if (item.businessType === '' && before.type !== null) Object.assign(changes, { type, typeGuessed: false });
  }
  const changed = Object.keys(changes).length > 0;
  if (changed) await changeContact(tx, before, changes, log);
  return { changed, ignored };
}
