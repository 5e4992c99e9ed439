import type { FastifyInstance } from 'fastify';
import type { Passwords } from './auth/passwords.ts';
import type { SessionCookie } from './auth/session-cookie.ts';
import type { SessionLookups } from './auth/session-lookups.ts';
import type { Clock } from './kit/clock.ts';
import type { Db } from './kit/db/db.ts';
import type { Env } from './kit/env.ts';
import type { Guard } from './kit/http/serve.ts';
import type { LiveEvents } from './kit/live-events.ts';
import type { Outbox } from './kit/mail/outbox.ts';

export type App = FastifyInstance;

/** What features are handed. Nothing imports a live connection, so nothing needs mocking. */
export interface Deps {
  db: Db;
  env: Env;
  clock: Clock;
  guard: Guard;
  passwords: Passwords;
  cookie: SessionCookie;
  lookups: SessionLookups;
  outbox: Outbox;
  liveEvents: LiveEvents;
}
