import { and, eq, gt, sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#server/kit/db/db.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { challenges } from '#server/schema/users.ts';

interface Challenge {
  /** Comes back with the answer, and says which challenge it is to. */
  key: string;
  challenge: string;
  userId: number | null;
}

interface Options {
  db: Db;
  appUrl: string;
  /** Of the cookie. */
  name: string;
  minutes: number;
  /** `lax` where another site sends the browser back. */
  sameSite: 'strict' | 'lax';
}

/**
 * What has to come back: signed by a passkey, or from the provider of single sign-on. A challenge is used once, by the browser
 * that asked for it, which a cookie knows, and by the user it was made for.
 */
export function createChallenges({ db, appUrl, name, minutes, sameSite }: Options) {
  const secure = appUrl.startsWith('https:');
  const cookie = secure ? `__Host-${name}` : name;
  const options = { path: '/', httpOnly: true, sameSite, secure } as const;
  // With the name: what is in one cookie counts for nothing in another.
  const toId = (secret: string, key: string) => hashSecret(`${name} ${secret} ${key}`);
  return {
    store: async (request: FastifyRequest, reply: FastifyReply, { key, challenge, userId }: Challenge) => {
      // The tabs of a browser share its cookie, and each has a challenge of its own.
      const secret = request.cookies[cookie] || newSecret().secret;
      const expiresAt = sql`now() + make_interval(mins => ${minutes})`;
      await db.insert(challenges).values({ id: toId(secret, key), challenge, userId, expiresAt });
      reply.setCookie(cookie, secret, { ...options, maxAge: minutes * 60 });
    },
    /** Undefined where there is none, or no longer. */
    take: async (request: FastifyRequest, key: string, userId: number | null): Promise<string | undefined> => {
      const id = toId(request.cookies[cookie] ?? '', key);
      const isOfUser = sql`${challenges.userId} is not distinct from ${userId}`;
      const [taken] = await db
        .delete(challenges)
        .where(and(eq(challenges.id, id), gt(challenges.expiresAt, sql`now()`), isOfUser))
        .returning({ challenge: challenges.challenge });
      return taken?.challenge;
    },
  };
}
