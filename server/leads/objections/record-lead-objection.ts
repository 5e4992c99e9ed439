import { eq } from 'drizzle-orm';
import type { ObjectionChannel, ObjectionSource } from '#contract/contact-rules/objection.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import { loadObjectionKey } from '#server/contact-rules/objection-facts.sql.ts';
import { listObjectionsOn } from '#server/contact-rules/objections.sql.ts';
import { recordObjections, subjectsOf } from '#server/contact-rules/record-objections.ts';
import { hashSubject, listSubjects } from '#server/contact-rules/subjects.ts';
import type { Db } from '#server/kit/db/db.ts';
import { listLeadsOn } from '#server/leads/leads.sql.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { businesses } from '#server/schema/leads.ts';

interface Said {
  channel: ObjectionChannel;
  words: string;
}

interface Context {
  viewer: Viewer;
  ip: string;
  now: Date;
  source: ObjectionSource;
}

/** Records what somebody at the business of a lead objected to. Nothing where it stands already in the same words. */
export async function recordLeadObjection(tx: Db, lead: Lead, { channel, words }: Said, ctx: Context) {
  const { viewer, ip, now, source } = ctx;
  const business = await readContactable(tx, lead);
  const objection = { channel, words, since: now.toISOString(), subjects: await subjectsOf(tx, channel, business) };
  const by = { source, viewerId: viewer.id, program: viewer.program?.name, now };
  const [objectionId] = await recordObjections(tx, [objection], by);
  if (!objectionId) return;
  const details = { kind: channel, objectionId };
  await audit(tx, {
    event: 'objection_recorded',
    ...byViewer(viewer),
    subject: { type: 'lead', id: lead.id },
    ip,
    details,
  });
  await publishLeads(tx, await listLeadsOn(tx, lead.businessId));
}

export async function listLeadObjections(db: Db, lead: Lead) {
  const key = await loadObjectionKey(db);
  const subjects = listSubjects(await readContactable(db, lead));
  return listObjectionsOn(
    db,
    subjects.map((subject) => hashSubject(key, subject)),
  );
}

async function readContactable(db: Db, { businessId, customFields }: Lead) {
  const { placeId, name, phone } = businesses;
  const [business] = await db.select({ placeId, name, phone }).from(businesses).where(eq(businesses.id, businessId));
  if (!business) throw new Error(`Business ${businessId} has a lead and is gone`);
  return { ...business, email: customFields.email };
}
