import { eq, type SQL, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { parseWebsite } from '#contract/leads/website.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businessColumns } from '#server/leads/leads.sql.ts';
import { businesses } from '#server/schema/leads.ts';

const { id, phone, phoneTyped, website, websiteTyped, wrongPhone, type, typeGuessed } = businesses;
const contactColumns = { id, phone, phoneTyped, website, websiteTyped, wrongPhone, type, typeGuessed };
export type Contact = Pick<typeof businesses.$inferSelect, keyof typeof contactColumns>;

/** Phone, website and type of a business, locked until the transaction ends. */
export async function lockContact(tx: Db, condition: SQL): Promise<Contact | undefined> {
  const [contact] = await tx.select(contactColumns).from(businesses).where(condition).for('update');
  return contact;
}

const pickPhone = (business: Contact) => ({ text: business.phone, typed: business.phoneTyped });
const pickWebsite = (business: Contact) => ({ text: business.website, typed: business.websiteTyped });
const pickType = (business: Contact) => ({ label: business.type, guessed: business.typeGuessed });

/** Changes a locked business. */
export async function changeContact(tx: Db, before: Contact, changes: Partial<Contact>, log: ChangeLog) {
  const after = { ...before, ...changes };
  log.addBusiness(before.id, 'phone', { before: pickPhone(before), after: pickPhone(after) });
  log.addBusiness(before.id, 'website', { before: pickWebsite(before), after: pickWebsite(after) });
  log.addBusiness(before.id, 'type', { before: pickType(before), after: pickType(after) });
  log.addBusiness(before.id, 'wrongPhone', { before: before.wrongPhone, after: after.wrongPhone });
  const [changed] = await tx
    .update(businesses)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(businesses.id, before.id))
    .returning(businessColumns);
  if (!changed) throw new Error(`Business ${before.id} was deleted while it was locked`);
  return changed;
}

export const toTypedPhone = (text: string) => ({ phone: text || null, phoneTyped: true });

/** Refuses what is no address of a website. */
export function toTypedWebsite(text: string) {
  const parsed = parseWebsite(text);
  if (parsed === undefined || (parsed !== null && !URL.canParse(parsed))) {
    throw new Refusal('invalid_url', 'Please enter a valid website address');
  }
  return { website: parsed, websiteTyped: true };
}
