import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';

const WELL_FORMED = /^[A-Za-z0-9_-]{43}$/;

const BROWSER_DAYS = 400; // the most that browsers allow

export type SessionCookie = ReturnType<typeof sessionCookie>;

/** The session cookie. With https its `__Host-` prefix makes browsers send it to this host only. */
export function sessionCookie(appUrl: string) {
  const secure = appUrl.startsWith('https:');
  const name = secure ? '__Host-hs_session' : 'hs_session';
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    present: (request: FastifyRequest) => request.cookies[name] !== undefined,
    /** The id of the request's session; undefined when the cookie is missing or malformed. */
    read: (request: FastifyRequest) => {
      const value = request.cookies[name];
      return value && WELL_FORMED.test(value) ? hashSecret(value) : undefined;
    },
    write: (reply: FastifyReply, secret: string, days: number) =>
      reply.setCookie(name, secret, { ...options, maxAge: days * 24 * 60 * 60 }),
    clear: (reply: FastifyReply) => reply.clearCookie(name, options),
  };
}

export type BrowserCookie = ReturnType<typeof browserCookie>;

/** The cookie by which a browser is known again at the next sign-in. It allows nothing. */
export function browserCookie(appUrl: string) {
  const secure = appUrl.startsWith('https:');
  const name = secure ? '__Host-hs_browser' : 'hs_browser';
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: BROWSER_DAYS * 24 * 60 * 60 } as const;
  return {
    /** The secret of the browser, which may be a new one. */
    read: (request: FastifyRequest) => {
      const value = request.cookies[name];
      return value && WELL_FORMED.test(value) ? value : newSecret().secret;
    },
    write: (reply: FastifyReply, secret: string) => reply.setCookie(name, secret, options),
  };
}
