import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads, users } from '#server/kit/db/schema.ts';

// For what is kept beside the leads and has to follow them whatever becomes of them: counts and sets.

/** Takes everything away, and makes two who may hold leads. */
export async function startWithTwoPeople(db: Db) {
  await db.execute(sql`truncate users, businesses cascade`);
  const person = (name: string) => ({ username: name, email: `${name}@example.test`, fullName: name, password: 'x' });
  const made = await db
    .insert(users)
    .values([person('ada'), person('tom')])
    .returning();
  const [ada = 0, tom = 0] = made.map(({ id }) => id);
  return { ada, tom };
}

/** One lead of all. */
export const one = sql`id = (select min(id) from user_businesses)`;

type Change = [what: string, change: (db: Db, people: { ada: number; tom: number }) => Promise<unknown>];

/** Every way in which leads come, change and go. */
export const CHANGES: Change[] = [
  ['leads are made, many at once', async () => {}],
  ['a status changes', (db) => db.update(leads).set({ status: 'recontact' }).where(one)],
  ['every status changes', (db) => db.update(leads).set({ status: 'closed_won' })],
  ['tags come and go', (db) => db.update(leads).set({ tags: ['cold', 'new one'] })],
  ['a lead is handed over', (db, { ada, tom }) => db.update(leads).set({ userId: tom }).where(eq(leads.userId, ada))],
  ['leads are archived', (db) => db.update(leads).set({ archived: true })],
  ['leads become customers', (db) => db.update(leads).set({ existingCustomer: true })],
  ['notes change', (db) => db.update(leads).set({ notes: 'x', viewed: true })],
  ['a business moves', (db) => db.update(businesses).set({ town: 'Leeds' })],
  ['a business moves to where none was', (db) => db.update(businesses).set({ town: 'Hull' })],
  ['businesses are renamed', (db) => db.execute(sql`update businesses set name = name || 'ry' where id % 2 = 0`)],
  ['a town is no longer known', (db) => db.update(businesses).set({ town: null })],
  ['a lead is deleted', (db) => db.delete(leads).where(one)],
  ['a user goes, with their leads', (db, { ada }) => db.delete(users).where(eq(users.id, ada))],
  ['businesses go, with their leads', (db) => db.delete(businesses)],
  ['all leads go at once', (db) => db.execute(sql`truncate user_businesses cascade`)],
  [
    'one is changed there and back',
    async (db) => {
      await db.update(leads).set({ archived: sql`not archived`, tags: ['cold'] });
      await db.update(leads).set({ archived: sql`not archived` });
    },
  ],
  [
    'a change is taken back',
    (db) =>
      db
        .transaction(async (tx) => {
          await tx.update(leads).set({ status: 'proposal' });
          throw new Error('taken back');
        })
        .catch(() => {}),
  ],
];
