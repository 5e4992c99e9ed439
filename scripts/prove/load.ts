import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type LeadStatus, MAIN_STATUSES } from '#contract/leads/lead.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { addActivity, changeLeadStatus } from '#contract/leads/leads.calls.ts';
import type { Asker, RequestContext } from './asker.ts';
import type { Person } from './people.ts';
import { createRandom } from './random.ts';

const PAUSE_MS = 40;
const RETRY_MS = 250;

export interface Failure {
  what: string;
  status: number;
  code: string;
  ms: number;
  /** Milliseconds since the load began. */
  at: number;
}

export interface Work {
  person: Person;
  leadId: number;
}

/**
 * People who read their list, move a lead and write activities down without a pause. Whatever is not answered with
 * success is noted and, under the same Idempotency-Key, asked again until it is: as people do who press the button again.
 */
export function startLoad(asker: Asker, given: Work[], timeoutMs = 30_000) {
  const failures: Failure[] = [];
  const acknowledged = new Set<string>();
  const statuses = new Map<number, LeadStatus>();
  const name = randomUUID().slice(0, 8);
  const started = performance.now();
  let [requests, over] = [0, false];
  /** The longest that anybody waited until something was done, tries included. */
  let longestMs = 0;

  const until = async (what: string, ask: () => Promise<RequestContext<unknown>>): Promise<boolean> => {
    const first = performance.now();
    for (;;) {
      const { status, body, error, ms } = await ask();
      requests += 1;
      if (status >= 200 && status < 300) {
        longestMs = Math.max(longestMs, performance.now() - first);
        return true;
      }
      failures.push({ what, status, code: body.code ?? error ?? '', ms, at: performance.now() - started });
      if (over) return false;
      await wait(RETRY_MS);
    }
  };

  const work = async ({ person: { cookie, username }, leadId }: Work, nth: number) => {
    const random = createRandom(nth + 1);
    const params = { id: leadId };
    for (let round = 1; !over; round += 1) {
      await until('list', () => asker.ask(listLeads, {}, { cookie, timeoutMs }));
      const notes = `${name} ${username} ${round}`;
      const headers = { 'idempotency-key': randomUUID() };
      const body = { type: 'note' as const, notes };
      if (
        await until('activity', () => asker.ask(addActivity.byId, { params, body }, { cookie, headers, timeoutMs }))
      ) {
        acknowledged.add(notes);
      }
      const status = random.pick(MAIN_STATUSES);
      if (
        await until('status', () =>
          asker.ask(changeLeadStatus.byId, { params, body: { status } }, { cookie, timeoutMs }),
        )
      ) {
        statuses.set(leadId, status);
      }
      await wait(random.below(2 * PAUSE_MS));
    }
  };
  const working = given.map(work);

  return {
    failures,
    acknowledged,
    requests: () => requests,
    longestMs: () => longestMs,
    now: () => performance.now() - started,
    stop: async () => {
      over = true;
      await Promise.all(working);
    },
    /** What of the acknowledged is not there, what is there twice, and which lead is not in the status it was moved to. */
    async audit(databaseUrl: string) {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ description: string; count: number }>(
        'select description, count(*)::int as count from contact_activities group by description',
      );
      const leads = await client.query<{ id: number; status: string }>('select id, status from user_businesses');
      await client.end();
      const found = new Map(rows.map(({ description, count }) => [description, count]));
      const statusOf = new Map(leads.rows.map(({ id, status }) => [id, status]));
      return {
        lost: [...acknowledged].filter((notes) => !found.has(notes)),
        twice: rows.filter(({ count }) => count > 1).map(({ description }) => description),
        moved: [...statuses].filter(([id, status]) => statusOf.get(id) !== status).map(([id]) => id),
      };
    },
  };
}

export type Load = ReturnType<typeof startLoad>;

/** Failures by what and how, for a line of the report. */
export function tally(failures: Failure[]): string {
  const counts = new Map<string, number>();
  for (const { what, status, code } of failures) {
    const name = `${what} ${status} ${code}`.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count}× ${name}`).join(', ') || 'none';
}
