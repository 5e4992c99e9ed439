import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getSso } from '#contract/auth/auth.calls.ts';
import * as calls from '#contract/auth/sso.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import { countInWindow } from '#server/auth/attempts.sql.ts';
import { createChallenges } from '#server/auth/challenges.ts';
import type { Passwords } from '#server/auth/passwords.ts';
import { type NewSessionDeps, readNewSession } from '#server/auth/sessions/open-session.ts';
import { deleteSsoSessions } from '#server/auth/sessions/sessions.sql.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import { hashSecret } from '#server/kit/secrets.ts';
import { LOGOUT_TOKEN_MINUTES } from './logout-token.ts';
import type { SsoProvider } from './provider.ts';
import { signInBySso } from './sign-in-by-sso.ts';
import { SsoError } from './sso-error.ts';

/** In seconds since 1970. */
const LONG_AGO = 0;

/** How long signing in at the provider may take. */
const SIGN_IN_MINUTES = 15;

const pendingSignIn = z.object({
  ...{ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() },
  /** Whether the provider was asked to ask the user again. */
  again: z.boolean().default(false),
});

interface SsoDeps extends Deps, NewSessionDeps {
  passwords: Passwords;
  /** Undefined without single sign-on. */
  provider: SsoProvider | undefined;
}

/** Signing in at an identity provider (OpenID Connect): the browser goes there and comes back. */
export function ssoRoutes(app: App, deps: SsoDeps) {
  const { db, guard, outbox, passwords, env } = deps;
  const challenges = createChallenges({
    ...{ db, appUrl: env.appUrl, name: 'hs_sso', minutes: SIGN_IN_MINUTES },
    // The provider, another site, sends the browser back.
    sameSite: 'lax',
  });
  const requireSso = () => {
    const { provider } = deps;
    const { sso } = env;
    if (!provider || !sso) throw new Refusal('not_found', 'This installation has no single sign-on');
    return { provider, sso };
  };

  serve(app, guard, getSso, async () => ({ name: env.sso?.name ?? null, only: env.sso?.only ?? false }));

  mount(app, guard, calls.startSso, async (request, reply) => {
    const { provider } = requireSso();
    const { query, ip } = readRequest(calls.startSso, request);
    try {
      const again = query.again !== undefined;
      const { url, pending } = await provider.start({ again });
      const challenge = JSON.stringify({ ...pending, to: query.to, again });
      await challenges.store(request, reply, { key: pending.state, challenge, userId: null });
      return reply.redirect(url);
    } catch (error) {
      return fail(request, reply, { error, ip });
    }
  });

  mount(app, guard, calls.finishSso, async (request, reply) => {
    const { provider, sso } = requireSso();
    const { ip } = readRequest(calls.finishSso, request);
    try {
      // Before anything else is looked at: it is this browser that has started, and it comes back once.
      const { search, searchParams } = new URL(request.url, env.appUrl);
      const challenge = await challenges.take(request, searchParams.get('state') ?? '', null);
      if (!challenge) throw new SsoError('expired');
      const pending = pendingSignIn.parse(JSON.parse(challenge));
      const known = await provider.finish(search, pending);
      // Who is not said to have been asked now may be signed in there since long ago.
      const identity = { ...known, authTime: known.authTime ?? (pending.again ? undefined : LONG_AGO) };
      const { session, writeCookies } = readNewSession(deps, request, ip);
      const opened = await signInBySso({ db, passwords, sso }, identity, session);
      writeCookies(reply, opened);
      void outbox.wake();
      return reply.redirect(pending.to);
    } catch (error) {
      return fail(request, reply, { error, ip });
    }
  });

  serve(app, guard, calls.endSsoSessions, async ({ body, ip, request }) => {
    const { provider } = requireSso();
    try {
      const token = await provider.readLogoutToken(body().logout_token);
      await db.transaction(async (tx) => {
        // One that comes again must not end the sessions of a later sign-in.
        const { count } = await countInWindow(
          tx,
          `log-out ${hashSecret(`${token.issuer} ${token.id}`)}`,
          LOGOUT_TOKEN_MINUTES + 2,
        );
        if (count > 1) return;
        for (const id of await deleteSsoSessions(tx, token)) {
          await audit(tx, { event: 'sso_sessions_ended', subject: { type: 'user', id }, ip });
        }
      });
      return {};
    } catch (error) {
      if (!(error instanceof SsoError)) throw error;
      request.log.warn({ reason: error.details.reason }, 'back-channel log-out refused');
      const details = { code: error.failure, kind: 'single sign-on' };
      await audit(db, { event: 'sso_sessions_ended', outcome: 'refused', ip, details });
      if (error.failure === 'unavailable')
        throw new Refusal('provider_error', 'The keys of the provider cannot be read');
      throw new Refusal('invalid_token', 'The logout token is not valid');
    }
  });

  /** A browser cannot do anything with a refusal as JSON: it is sent to the sign-in page, which says what has happened. */
  async function fail(request: FastifyRequest, reply: FastifyReply, { error, ip }: { error: unknown; ip: string }) {
    const { failure, details } = error instanceof SsoError ? error : new SsoError('failed');
    if (!(error instanceof SsoError)) request.log.error({ err: error, requestId: request.id }, 'single sign-on failed');
    else if (details.reason) request.log.warn({ failure, reason: details.reason }, 'single sign-on refused');
    const subject = details.userId === undefined ? {} : { subject: { type: 'user' as const, id: details.userId } };
    await audit(db, {
      ...{ event: 'sign_in_failed', outcome: 'refused', ip, ...subject },
      details: { kind: 'single sign-on', code: failure },
    }).catch((fault) => request.log.warn({ err: fault }, 'failed sign-in not audited'));
    return reply.redirect(`/auth?sso=${failure}`);
  }
}
