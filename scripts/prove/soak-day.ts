import { randomUUID } from 'node:crypto';
import { type ClientRequest, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type LeadItem, MAIN_STATUSES } from '#contract/leads/lead.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import {
  addActivity,
  changeLeadNotes,
  changeLeadStatus,
  getAssignmentHistory,
  getLead,
} from '#contract/leads/leads.calls.ts';
import { EVENTS_PATH, listNotifications, readAllNotifications } from '#contract/notifications/notifications.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { exportBusinesses, searchBusinesses } from '#contract/search/search.calls.ts';
import type { Asker, RequestContext } from './asker.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import { TOWNS, TRADES } from './soak-leads.ts';

const POLL_MS = 5_000;
const THINK_MS = { least: 1_000, most: 3_000 };

export type Record = (kind: string, response: RequestContext<unknown>) => void;

/** One person's day: looks at lists and leads, changes some, searches, exports, and leaves the page open meanwhile. */
export async function workTheDay(
  asker: Asker,
  { cookie }: Person,
  random: Random,
  record: Record,
  over: AbortSignal,
): Promise<void> {
  let seen: LeadItem[] = [];
  const page = async (kind: string, query: object) => {
    const response = await asker.ask(listLeads, { query: { pageSize: 20, ...query } }, { cookie });
    record(kind, response);
    if (response.body.items?.length) seen = response.body.items;
  };
  const onLead = async (kind: string, act: (lead: LeadItem['userBusiness']) => Promise<RequestContext<unknown>>) => {
    if (seen.length) record(kind, await act(random.pick(seen).userBusiness));
  };
  const params = ({ uuid }: { uuid: string }) => ({ uuid });

  const actions: [number, () => Promise<void>][] = [
    [30, () => page('list page', { page: 1 + random.below(5) })],
    [15, () => page('list, filtered', random.pick([{ status: 'new' }, { tags: 'hot' }, { town: random.pick(TOWNS) }]))],
    [10, () => page('list, by name', { q: random.pick(TRADES).slice(0, 4) })],
    [
      15,
      async () => {
        await onLead('profile', (lead) => asker.ask(getLead.byUuid, { params: params(lead) }, { cookie }));
        await onLead('history', (lead) => asker.ask(getAssignmentHistory.byUuid, { params: params(lead) }, { cookie }));
      },
    ],
    [
      10,
      () =>
        onLead('status change', (lead) =>
          asker.ask(
            changeLeadStatus.byUuid,
            { params: params(lead), body: { status: random.pick(MAIN_STATUSES) } },
            { cookie },
          ),
        ),
    ],
    [
      5,
      () =>
        onLead('notes', (lead) =>
          asker.ask(
            changeLeadNotes.byUuid,
            { params: params(lead), body: { notes: `Rang, ${'ring '.repeat(random.below(50))}` } },
            { cookie },
          ),
        ),
    ],
    [
      5,
      () =>
        onLead('activity', (lead) =>
          asker.ask(
            addActivity.byUuid,
            { params: params(lead), body: { type: 'call', notes: 'Rang, nobody in' } },
            { cookie, headers: { 'idempotency-key': randomUUID() } },
          ),
        ),
    ],
    [
      5,
      async () => {
        const body = { businessType: random.pick(TRADES), location: random.pick(TOWNS) };
        const found = await asker.ask(searchBusinesses, { body }, { cookie });
        record('search', found);
        const placeIds = found.body.businesses?.map(({ placeId }) => placeId) ?? [];
        if (placeIds.length && random.below(2)) {
          record('export', await asker.ask(exportBusinesses, { body: { format: 'csv', placeIds } }, { cookie }));
        }
      },
    ],
    [
      5,
      async () => {
        record('notifications', await asker.ask(listNotifications, {}, { cookie }));
        record('notifications read', await asker.ask(readAllNotifications, {}, { cookie }));
      },
    ],
  ];

  // People open their pages at any moment, not all at once.
  await wait(random.below(POLL_MS), undefined, { signal: over }).catch(() => {});
  const polling = setInterval(() => {
    for (const call of [getWeeklyContacts, getMonthlyContacts]) {
      void asker.ask(call, {}, { cookie }).then((response) => record('polling', response));
    }
  }, POLL_MS);
  const events = stayConnected(asker.url, cookie);
  try {
    while (!over.aborted) {
      await weighted(actions, random)();
      await wait(THINK_MS.least + random.below(THINK_MS.most - THINK_MS.least), undefined, { signal: over }).catch(
        () => {},
      );
    }
  } finally {
    clearInterval(polling);
    events.close();
  }
}

function weighted<T>(choices: [number, T][], random: Random): T {
  let at = random.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
  const chosen = choices.find(([weight]) => {
    at -= weight;
    return at < 0;
  });
  return (chosen ?? (choices[0] as [number, T]))[1];
}

/** An open page hears of news, and connects again when the stream ends. */
function stayConnected(url: string, cookie: string) {
  let current: ClientRequest | undefined;
  let closed = false;
  const connect = () => {
    if (closed) return;
    current = get(url + EVENTS_PATH, { agent: false, headers: { cookie } }, (response) => response.resume());
    current.on('error', () => {});
    current.on('close', () => setTimeout(connect, 3_000).unref());
  };
  connect();
  return {
    close: () => {
      closed = true;
      current?.destroy();
    },
  };
}
