import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type LeadStatus, MAIN_STATUSES } from '#contract/leads/lead.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { addActivity, changeLeadStatus } from '#contract/leads/leads.calls.ts';
import type { Defer } from '../measure/cleanup.ts';
import { createClient, type Result } from '../measure/client.ts';
import { createLeads, type User } from '../measure/users.ts';
import type { Checks } from './proof.ts';

const PAUSE_MS = 40;
const RETRY_MS = 250;

interface Failure {
  call: string;
  status: number;
  code: string;
  ms: number;
  /** Milliseconds since the start of the workload. */
  at: number;
}

export type Workload = Awaited<ReturnType<typeof startWorkload>>;

/**
 * Users who read their list, add an activity and change a status without a break. A call that fails is noted and
 * retried with the same Idempotency-Key until it succeeds, as users do.
 */
export async function startWorkload(defer: Defer, url: string, pool: Pool, users: User[]) {
  const client = createClient(url);
  const leadIds = await createLeads(pool, users);
  const failures: Failure[] = [];
  const acknowledged = new Set<string>();
  const statuses = new Map<number, LeadStatus>();
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  let [requests, stopped] = [0, false];

  const retry = async (call: string, send: () => Promise<Result>): Promise<boolean> => {
    for (;;) {
      const { status, body, ms } = await send();
      requests += 1;
      if (status >= 200 && status < 300) return true;
      failures.push({ call, status, code: body.code ?? '', ms, at: elapsed() });
      if (stopped) return false;
      await wait(RETRY_MS);
    }
  };
  const work = async ({ cookie }: User, nth: number) => {
    const id = leadIds[nth] ?? 0;
    while (!stopped) {
      await retry('list', () => client.call(listLeads, {}, { cookie }));
      const activity = { params: { id }, body: { type: 'note' as const, notes: randomUUID() } };
      const once = { cookie, headers: { 'idempotency-key': randomUUID() } };
      if (await retry('activity', () => client.call(addActivity.byId, activity, once)))
        acknowledged.add(activity.body.notes);
      const status = MAIN_STATUSES[Math.floor(Math.random() * MAIN_STATUSES.length)] as LeadStatus;
      const change = { params: { id }, body: { status } };
      if (await retry('status', () => client.call(changeLeadStatus.byId, change, { cookie }))) statuses.set(id, status);
      else statuses.delete(id);
      await wait(Math.random() * 2 * PAUSE_MS);
    }
  };
  const working = users.map(work);
  const stop = () => {
    stopped = true;
    return Promise.all(working);
  };
  defer(stop);

  return {
    failures,
    elapsed,
    requests: () => requests,
    stop,
    /** Every acknowledged activity is stored once, and every lead has the last acknowledged status. */
    async checkStored(label: string, checks: Checks) {
      const activities = await pool.query<{ notes: string; count: number }>(
        'select description as notes, count(*)::int as count from contact_activities group by description',
      );
      const leads = await pool.query<{ id: number; status: LeadStatus }>('select id, status from user_businesses');
      const stored = new Map(activities.rows.map(({ notes, count }) => [notes, count]));
      const lost = [...acknowledged].filter((notes) => !stored.has(notes)).length;
      const doubled = [...acknowledged].filter((notes) => (stored.get(notes) ?? 0) > 1).length;
      const wrong = leads.rows.filter(({ id, status }) => (statuses.get(id) ?? status) !== status).length;
      checks.check(
        `${label}: ${acknowledged.size} acknowledged activities are stored once, and every acknowledged status`,
        !lost && !doubled && !wrong,
        `${lost} lost, ${doubled} stored twice, ${wrong} wrong statuses`,
      );
    },
  };
}

/** Failures by call and status, for one line of the report. */
export function countFailures(failures: Failure[]): string {
  const counts = new Map<string, number>();
  for (const { call, status, code } of failures) {
    const kind = `${call} ${status} ${code}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count}× ${kind}`).join(', ') || 'none';
}
