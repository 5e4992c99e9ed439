import type { FastifyInstance } from 'fastify';
import type { JobRunner } from './jobs/job-runner.ts';
import type { Clock } from './kit/clock.ts';
import type { Db } from './kit/db/db.ts';
import type { Env } from './kit/env.ts';
import type { Guard } from './kit/http/serve.ts';
import type { LiveEvents } from './kit/live-events.ts';
import type { Outbox } from './kit/mail/outbox.ts';

export type App = FastifyInstance;

/** What every feature receives. No module imports a live connection, so tests mock none. */
export interface Deps {
  db: Db;
  env: Env;
  clock: Clock;
  guard: Guard;
  outbox: Outbox;
  liveEvents: LiveEvents;
  jobs: JobRunner;
}
