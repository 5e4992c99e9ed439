import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { type AnyCall, buildPath, type Input, type ResponseBody } from '#contract/call.ts';
import { type NewToken, newToken } from '#contract/tokens/token.ts';
import { createToken } from '#contract/tokens/tokens.calls.ts';
import type { Role, Viewer } from '#contract/users/user.ts';
import { changeWebhookKey, createWebhook } from '#contract/webhooks/webhooks.calls.ts';
import { createApp } from '#server/app.ts';
import { insertSession } from '#server/auth/sessions/sessions.sql.ts';
import type { Database } from '#server/kit/db/open.ts';
import { type Env, readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { newTokenSecret } from '#server/tokens/token-secret.ts';
import { insertToken } from '#server/tokens/tokens.sql.ts';
import { freshDatabase, scratchFolder, testDatabase } from './databases.ts';

/** Not a valid hash: no password matches it, and no test waits for a real hash. */
const NO_PASSWORD = '$scrypt$ln=1,r=1,p=1$$';

/** The only calls whose response has a token or a key. */
const SHOW_A_SECRET: AnyCall[] = [createToken, createWebhook, changeWebhookKey];

export interface TestUser extends Viewer {
  username: string;
  fullName: string;
  email: string;
  cookie: string;
}

export interface TestProgram {
  tokenId: string;
  name: string;
  secret: string;
  authorization: string;
}

interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent instead of the input's body, unserialized. */
  raw?: string;
}

/** The body of `changeUser` that changes nothing of a test user. */
export const unchangedUser = ({ username, email, role }: TestUser) => ({
  username,
  email,
  fullName: 'Test user',
  role,
});

interface TestAppOptions {
  env?: Record<string, string>;
  /** The fixed time of the clock. */
  now?: string;
  /** Instead of `now`, a time that passes. */
  clock?: () => Date;
  /** Creates an empty database for this app. */
  ownDatabase?: boolean;
  /** Uses this database and leaves it open. */
  database?: Database;
}

/** A real app on a real database that all tests of a worker share, so each test creates its own users and leads. */
export async function testApp({ env: variables = {}, now, ownDatabase = false, ...options }: TestAppOptions = {}) {
  const database = options.database ?? (await (ownDatabase ? freshDatabase() : testDatabase()));
  const { db } = database;
  const dataDir = scratchFolder('app');
  const env: Env = readEnv({ DATA_DIR: dataDir, RATE_LIMIT_FACTOR: '1000', ...variables });
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const clock = options.clock ?? (() => (now ? new Date(now) : new Date()));
  const app = await createApp({ database, env, clock, log });
  await app.http.ready();

  async function inject(options: InjectOptions): Promise<LightMyRequestResponse> {
    return app.http.inject({ ...options, headers: { host: 'localhost', ...options.headers } });
  }

  return {
    app,
    database,
    db,
    env,
    /** The lines of the log so far. */
    lines,
    inject,
    close: async () => {
      await app.close();
      if (ownDatabase && !options.database) await database.close();
      rmSync(dataDir, { recursive: true, force: true });
      for (const line of lines) requireNoSecret(line);
    },

    /** A user with an open session. */
    async user(role: Role = 'user', columns: Partial<typeof users.$inferInsert> = {}): Promise<TestUser> {
      const name = `${role}-${randomBytes(5).toString('hex')}`;
      const [user] = await db
        .insert(users)
        .values({
          username: name,
          email: `${name}@example.test`,
          fullName: `Test ${role}`,
          password: NO_PASSWORD,
          role,
          ...columns,
        })
        .returning({ id: users.id, username: users.username, fullName: users.fullName, email: users.email });
      if (!user) throw new Error('The test user was not created');
      const { secret, hash } = newSecret();
      await insertSession(db, { id: hash, userId: user.id, ip: '127.0.0.1', userAgent: 'test' });
      return { ...user, role, cookie: `hs_session=${secret}` };
    },

    /** A business, and a lead on it for its holder. */
    async lead(
      holder: Viewer,
      columns: Partial<typeof leads.$inferInsert> = {},
      businessColumns: Partial<typeof businesses.$inferInsert> = {},
    ) {
      const [business] = await db
        .insert(businesses)
        .values({ placeId: `place-${randomBytes(8).toString('hex')}`, name: 'Blue Door Bakery', ...businessColumns })
        .returning();
      if (!business) throw new Error('The test business was not created');
      const [lead] = await db
        .insert(leads)
        .values({ userId: holder.id, businessId: business.id, ...columns })
        .returning();
      if (!lead) throw new Error('The test lead was not created');
      return { ...lead, business };
    },

    /** The sender of a program with a token of the user. */
    async program(user: TestUser, token: Partial<NewToken> = {}): Promise<TestProgram> {
      const { secret, hash, lastFour } = newTokenSecret();
      const given = newToken.parse({ name: `Program ${lastFour} ${randomBytes(3).toString('hex')}`, ...token });
      const tokenId = await insertToken(db, { ...given, userId: user.id, hash, lastFour });
      return { tokenId, name: given.name, secret, authorization: `Bearer ${secret}` };
    },

    /** Makes one call of the contract and parses the response, because production does not. */
    async request<C extends AnyCall>(
      sender: { cookie: string } | { authorization: string } | null,
      call: C,
      input: Input<C> = {},
      options: RequestOptions = {},
    ) {
      const payload = options.raw ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
      const response = await inject({
        method: call.method,
        url: buildPath(call, input),
        ...(payload !== undefined && { payload }),
        headers: {
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...(sender && ('cookie' in sender ? { cookie: sender.cookie } : { authorization: sender.authorization })),
          ...options.headers,
        },
      });
      if (!SHOW_A_SECRET.includes(call)) requireNoSecret(response.body);
      const json = String(response.headers['content-type']).startsWith('application/json');
      const body = json ? JSON.parse(response.body) : response.body || undefined;
      if (response.statusCode < 300) call.response.parse(body);
      return {
        status: response.statusCode,
        headers: response.headers,
        body: body as ResponseBody<C> & {
          code?: string;
          message?: string;
          errors?: { path: string; message: string }[];
        },
      };
    },
  };
}

/** No response and no log line may hold a password hash, a session, a token or a reset link. */
export function requireNoSecret(text: string) {
  if (
    /\$(argon2id|scrypt)\$|hs_session=[\w-]{20}|reset-password\?token=|hs_[0-9A-Za-z]{49}|whsec_[\w+/]{20}/.test(text)
  ) {
    throw new Error(`A secret was shown: ${text.slice(0, 500)}`);
  }
}

export type TestApp = Awaited<ReturnType<typeof testApp>>;

/** The cookie that a response sets, as the next request sends it. */
export function readSetCookie(headers: LightMyRequestResponse['headers']): string {
  const [set = ''] = [headers['set-cookie']].flat();
  return String(set).split(';')[0] ?? '';
}
