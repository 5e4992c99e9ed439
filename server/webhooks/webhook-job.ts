import { defineJob } from '#server/jobs/job-kind.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Env } from '#server/kit/env.ts';
import { assignEvents } from './assign-events.ts';
import type { WebhookSender } from './create-sender.ts';
import { listOn } from './webhooks.sql.ts';

export const WEBHOOKS = 'webhooks';
/** While a webhook is on, and while none is: who switches one on wakes the job. */
const PAUSE_MS = 1_000;
const IDLE_MS = 60_000;

interface Options {
  sender: WebhookSender;
  clock: Clock;
  env: Pick<Env, 'timeZone'>;
}

/** Gives new events their deliveries, and has those sent that are due. A step does not wait for receivers. */
export const webhookJob = ({ sender, clock, env }: Options) =>
  defineJob<object>({
    kind: WEBHOOKS,
    everyMs: IDLE_MS,
    // Beside the other kinds: theirs may take long.
    longSteps: true,
    step: async (tx) => {
      const on = await listOn(tx);
      const assigned = await assignEvents(tx, on, { now: clock(), timeZone: env.timeZone });
      // Those of the step before: what this one has written is seen once it is committed.
      if (on.length) void sender.sendDue();
      if (assigned) return { pauseMs: 0 };
      return on.length ? { pauseMs: PAUSE_MS } : { end: true };
    },
  });
