import { sql } from 'drizzle-orm';
import type { ObjectionFact } from '#contract/contact-rules/objection.ts';
import type { Db } from '#server/kit/db/db.ts';
import { loadInstallationKey } from '#server/kit/secrets.ts';
import { type Contactable, hashSubject, listSubjects } from './subjects.ts';

const KEY = 'objections';

export const loadObjectionKey = (db: Db) => loadInstallationKey(db, KEY);

type FactRow = Record<string, unknown> & ObjectionFact & { hash: string };

/** The objections that stand on each of these, in their order: with one look-up for all of them, or none while nobody objects. */
export async function readObjections(db: Db, contactables: readonly Contactable[]): Promise<ObjectionFact[][]> {
  const key = contactables.length ? await findKeyInUse(db) : undefined;
  if (!key) return contactables.map(() => []);
  const hashes = contactables.map((each) => listSubjects(each).map((subject) => hashSubject(key, subject)));
  const { rows } = await db.execute<FactRow>(sql`
    select subject.hash, objection.channel, subject.kind as on, objection.since
    from objection_subjects subject join objections objection on objection.id = subject.objection_id
    where subject.hash = any (${sql.param([...new Set(hashes.flat())])}::text[]) and objection.lifted_at is null
    order by objection.since, objection.id, subject.kind`);
  const byHash = new Map<string, ObjectionFact[]>();
  for (const { hash, channel, on, since } of rows) {
    byHash.set(hash, [...(byHash.get(hash) ?? []), { channel, on, since: new Date(since).toISOString() }]);
  }
  return hashes.map((own) => own.flatMap((hash) => byHash.get(hash) ?? []));
}

async function findKeyInUse(db: Db): Promise<string | undefined> {
  const { rows } = await db.execute<{ value: string }>(sql`
    select value from installation_keys where name = ${KEY} and exists (select from objections where lifted_at is null)`);
  return rows[0]?.value;
}

/** A business before it is known who objects to being contacted there. */
export type Unchecked<T extends { business: { objections: unknown } }> = Omit<T, 'business'> & {
  business: Omit<T['business'], 'objections'>;
};

interface Item {
  business: { placeId: string; phone: string | null };
  userBusiness: { customFields: { email?: string | undefined } };
}

/** Leads with the objections that stand on them. */
export async function withObjections<T extends Item>(db: Db, items: readonly T[]) {
  const objections = await readObjections(
    db,
    items.map(({ business: { placeId, phone }, userBusiness }) => ({
      placeId,
      phone,
      email: userBusiness.customFields.email,
    })),
  );
  return items.map((item, at) => ({
    ...item,
    business: { ...item.business, objections: objections[at] ?? [] },
  }));
}

/** The same for one. */
export async function checkOne<T extends Item>(db: Db, item: T) {
  const [checked] = await withObjections(db, [item]);
  if (!checked) throw new Error('As many come back as went in');
  return checked;
}
