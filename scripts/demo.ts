import { eq, sql } from 'drizzle-orm';
import { createApp } from '#server/app.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { clock } from '#server/kit/clock.ts';
import { installationKeys } from '#server/kit/db/kit-tables.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { users as accounts } from '#server/schema/users.ts';
import { hasUsers, insertUser } from '#server/users/users.sql.ts';
import { actAsAdmin } from './demo/admin-actions.ts';
import { fillWithLeads } from './demo/fill.ts';
import { DEMO_PASSWORD, TEAM } from './demo/team.ts';

const MARK = 'demo';

// These override the .env file: the demo must not use the team's own database.
process.env.DATABASE_URL = '';
process.env.DATA_DIR ||= './data-demo';
process.env.LOG_LEVEL ||= 'warn';

try {
  await prepare();
} catch (error) {
  // The message of a failed query is the query; its cause says why.
  const { cause, message } = error as Error;
  console.error(`The demo cannot start: ${cause instanceof Error ? cause.message : message}`);
  process.exit(1);
}
console.log(`\nSign in as any of these, with the password ${DEMO_PASSWORD}:\n`);
for (const { username, fullName, role } of TEAM) console.log(`  ${username.padEnd(8)} ${role.padEnd(8)} ${fullName}`);
console.log('');
await import('#server/main.ts');

/** Fills an empty database, and leaves that of an earlier demo as it is. */
async function prepare() {
  // Searching what the demo begins with must cost nothing.
  const env = readEnv({ ...process.env, PLACES_PROVIDER: 'local' });
  // Closing the database ends connections that the app still listens on, which is a warning elsewhere.
  const log = createLog('error');
  const database = await openConfigured(env, { migrationsDir: MIGRATIONS, log });
  try {
    const { db } = database;
    const [mark] = await db.select().from(installationKeys).where(eq(installationKeys.name, MARK));
    if (mark) return;
    if (await hasUsers(db)) throw new Error(`${env.dataDir} holds a real team's data; set DATA_DIR to another folder`);
    const { hash } = await createPasswords(await loadArgon2());
    const password = await hash(DEMO_PASSWORD);
    const filled = await db.transaction(async (tx) => {
      await tx.insert(installationKeys).values({ name: MARK, value: new Date().toISOString() });
      const users = [];
      for (const member of TEAM) {
        const email = `${member.username}@highstreet.example`;
        const { id } = await insertUser(tx, { ...member, email, password });
        users.push({ ...member, id });
      }
      // Before their first leads: the team's pace counts new users from the day they joined.
      await tx.update(accounts).set({ createdAt: sql`now() - interval '1 year'` });
      return fillWithLeads(tx, users, new Date(), env.timeZone);
    });
    const app = await createApp({ database, env, clock, log });
    await actAsAdmin(app, TEAM[0].username, filled);
    await app.close();
    console.log(`Created an invented team with ${filled.count + filled.listed.length} leads in ${env.dataDir}`);
  } finally {
    await database.close();
  }
}
