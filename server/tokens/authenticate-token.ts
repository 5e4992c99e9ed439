import type { FastifyReply } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import type { Program } from '#contract/users/program.ts';
import { toScreen } from '#contract/views/view.ts';
import { ignoreFullDisk, type SessionDeps } from '#server/auth/sessions/authenticate.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Env } from '#server/kit/env.ts';
import type { Guard } from '#server/kit/http/serve.ts';
import { hasValidConditions } from '#server/leads/list/own-fields.sql.ts';
import { readTokenSecret } from './token-secret.ts';
import { type FoundToken, prepareFindToken, touchToken } from './tokens.sql.ts';

/** Others come from proxies before the product, and say nothing to it. */
const OF_PROGRAM = /^Bearer +(hs_.*)$/i;

/** Finds the user of a request by its token. The look-up is limited by IP as that of sessions is. */
export function authenticateToken({
  db,
  cookie,
  lookups,
  clock,
  env,
}: SessionDeps & { clock: Clock; env: Pick<Env, 'timeZone'> }): Guard['authenticateProgram'] {
  const findToken = prepareFindToken(db);
  return async (request, reply) => {
    const given = OF_PROGRAM.exec(request.headers.authorization ?? '')?.[1];
    if (given === undefined) return null;
    // A page of another site could add a cookie to a request with a token of its own, never the other way round.
    if (cookie.present(request)) {
      throw new Refusal('invalid_request', 'Send either a token or the cookie of a session, not both');
    }
    const hash = readTokenSecret(given);
    if (!hash) {
      lookups.countMalformed(request);
      throw refuse(reply);
    }
    const token = await lookups.find(hash, request, () => findToken(hash));
    if (!token) throw refuse(reply);
    if (token.stale) await touchToken(db, token.tokenId).catch(ignoreFullDisk);
    const { tokenId, name, rights, ownLeads, user, limited } = token;
    const role = ownLeads ? 'user' : user.role;
    const fence = token.viewId === null ? null : await readFence(db, token, { now: clock(), timeZone: env.timeZone });
    return { id: user.id, role, limited, program: { tokenId, name, rights, ownLeads, fence } };
  };
}

/** A view that is gone, is one of the reports by now, or filters by a field that is gone must not let a program see all. */
async function readFence(
  db: Db,
  { settings }: FoundToken,
  time: { now: Date; timeZone: string },
): Promise<Program['fence']> {
  const filter = settings && toScreen(settings) === 'leads' ? leadFilter.safeParse(settings).data : undefined;
  if (!settings || !filter) return 'view_gone';
  return (await hasValidConditions(db, filter)) ? { settings, ...time } : 'field_gone';
}

function refuse(reply: FastifyReply) {
  reply.header('www-authenticate', 'Bearer error="invalid_token"');
  return new Refusal('not_authenticated', 'This token is not valid, or no longer');
}
