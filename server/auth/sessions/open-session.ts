import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { findOwnUser } from '#server/users/users.sql.ts';
import { rememberBrowser } from './known-browsers.sql.ts';
import type { BrowserCookie, SessionCookie } from './session-cookie.ts';
import type { SessionLookups } from './session-lookups.ts';
import { deleteSession, insertSession, type SsoSession } from './sessions.sql.ts';

/** A day later it is no news. */
const NEW_BROWSER_TTL_MINUTES = 24 * 60;

export interface NewSessionDeps {
  cookie: SessionCookie;
  browser: BrowserCookie;
  lookups: SessionLookups;
}

/** What a session keeps of the request that opens it. */
export interface NewSession {
  ip: string;
  userAgent: string | undefined;
  /** The session of the request, which a new sign-in ends. */
  oldSession: string | undefined;
  /** What is stored of the browser's cookie. */
  browser: string;
  sso?: SsoSession;
}

export interface OpenedSession {
  user: OwnUser;
  secret: string;
  /** How long it lasts at most. */
  days: number;
}

/** What a request tells of a session to open, and how its reply carries the cookies once the session is stored. */
export function readNewSession({ cookie, browser, lookups }: NewSessionDeps, request: FastifyRequest, ip: string) {
  const browserSecret = browser.read(request);
  const session: NewSession = {
    ip,
    userAgent: request.headers['user-agent'],
    oldSession: cookie.read(request),
    browser: hashSecret(browserSecret),
  };
  const writeCookies = (reply: FastifyReply, { secret, days }: OpenedSession) => {
    cookie.write(reply, secret, days);
    browser.write(reply, browserSecret);
    lookups.markValid(hashSecret(secret));
  };
  return { session, writeCookies };
}

/** Opens a session for a user who has proven who they are, in the transaction of the proof. */
export async function openSession(tx: Db, userId: number, session: NewSession): Promise<OpenedSession> {
  const subject = { type: 'user' as const, id: userId };
  const details = session.sso ? { kind: 'single sign-on' } : {};
  await audit(tx, { event: 'sign_in', actorId: userId, subject, ip: session.ip, details });
  return openFirstSession(tx, userId, session);
}

/** Opens the session of a user who is created by the same request. */
export async function openFirstSession(
  tx: Db,
  userId: number,
  { oldSession, browser, ip, userAgent, sso }: NewSession,
): Promise<OpenedSession> {
  if (oldSession) await deleteSession(tx, oldSession);
  const { secret, hash: id } = newSecret();
  const { days } = await insertSession(tx, { id, userId, ip, userAgent, sso });
  const user = await findOwnUser(tx, userId);
  if (!user) throw new Refusal('not_found', 'This account no longer exists');
  if (await rememberBrowser(tx, userId, { browser, ip, userAgent }))
    await reportNewBrowser(tx, user, { ip, userAgent });
  return { user, secret, days };
}

/** By e-mail, with a link to say that it was another person. */
async function reportNewBrowser(
  tx: Db,
  { id: userId, email }: OwnUser,
  { ip, userAgent = '' }: Pick<NewSession, 'ip' | 'userAgent'>,
) {
  await audit(tx, { event: 'new_browser', actorId: userId, subject: { type: 'user', id: userId }, ip });
  const data = { ip, userAgent: userAgent.slice(0, 300) };
  // To the address of this moment: whoever has signed in may change it before the mail is sent.
  await enqueueMail(tx, { kind: 'new_browser', userId, email, data, ttlMinutes: NEW_BROWSER_TTL_MINUTES });
}
