import { and, eq, gt, sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#server/kit/db/db.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { challenges } from '#server/schema/users.ts';

/** The sign-in page asks for one when it opens, and may stay open for a while. */
const MINUTES = 60;

/**
 * What passkeys sign. A challenge is used once, by the browser that asked for it, which a cookie knows, and by the user it
 * was made for.
 */
export function createChallenges({ db, appUrl }: { db: Db; appUrl: string }) {
  const secure = appUrl.startsWith('https:');
  const name = secure ? '__Host-hs_challenge' : 'hs_challenge';
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  return {
    store: async (reply: FastifyReply, challenge: string, userId: number | null) => {
      const { secret, hash } = newSecret();
      const expiresAt = sql`now() + make_interval(mins => ${MINUTES})`;
      await db.insert(challenges).values({ id: hash, challenge, userId, expiresAt });
      reply.setCookie(name, secret, { ...options, maxAge: MINUTES * 60 });
    },
    /** Undefined where there is none, or no longer. */
    take: async (request: FastifyRequest, userId: number | null): Promise<string | undefined> => {
      const id = hashSecret(request.cookies[name] ?? '');
      const isOfUser = sql`${challenges.userId} is not distinct from ${userId}`;
      const [taken] = await db
        .delete(challenges)
        .where(and(eq(challenges.id, id), gt(challenges.expiresAt, sql`now()`), isOfUser))
        .returning({ challenge: challenges.challenge });
      return taken?.challenge;
    },
  };
}
