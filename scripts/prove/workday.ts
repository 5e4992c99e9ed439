import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type LeadItem, MAIN_STATUSES } from '#contract/leads/lead.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { addActivity, changeLeadNotes, changeLeadStatus, getLead } from '#contract/leads/leads.calls.ts';
import { listNotifications, readAllNotifications } from '#contract/notifications/notifications.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { exportBusinesses, searchBusinesses } from '#contract/search/search.calls.ts';
import { withCleanup } from '../measure/cleanup.ts';
import type { Client, Result } from '../measure/client.ts';
import type { User } from '../measure/users.ts';
import { openEventStream } from './event-stream.ts';

const POLL_MS = 5_000;
const THINK_MS = 2_000;
const LISTS = [
  { page: 1 },
  { page: 2 },
  { page: 3 },
  { status: 'new' },
  { tags: 'campaign 1' },
  { q: 'bake' },
] as const;
const PLACES = ['Leeds', 'Bristol', 'York', 'Hull', 'Bath'];

type Act = () => Promise<Result | undefined>;

/** One user: reads lists and leads, changes some, searches, exports, with the page open all the time. */
export const simulateWorkday = (
  client: Client,
  { cookie }: User,
  record: (result: Result) => void,
  over: AbortSignal,
) =>
  withCleanup(async (defer) => {
    const session = { cookie };
    let items: LeadItem[] = [];
    const readList: Act = async () => {
      const list = await client.call(listLeads, { query: { pageSize: 20, ...pick(LISTS) } }, session);
      if (list.body.items?.length) items = list.body.items;
      return list;
    };
    const withLead = (act: (params: { uuid: string }) => Promise<Result>) => async () =>
      items.length ? act({ uuid: pick(items).userBusiness.uuid }) : undefined;
    const search: Act = async () => {
      const body = { businessType: pick(['Bakery', 'Cafe', 'Gym']), location: pick(PLACES) };
      const found = await client.call(searchBusinesses, { body }, session);
      const placeIds = found.body.businesses?.map(({ placeId }) => placeId) ?? [];
      if (!placeIds.length) return found;
      return client.call(exportBusinesses, { body: { format: 'csv', placeIds } }, session);
    };
    const readNotifications: Act = async () => {
      await client.call(listNotifications, {}, session);
      return client.call(readAllNotifications, {}, session);
    };
    const changeStatus = withLead((params) =>
      client.call(changeLeadStatus.byUuid, { params, body: { status: pick(MAIN_STATUSES) } }, session),
    );
    const writeNotes = withLead((params) =>
      client.call(changeLeadNotes.byUuid, { params, body: { notes: `Called ${randomUUID()}` } }, session),
    );
    const addCall = withLead((params) =>
      client.call(addActivity.byUuid, { params, body: { type: 'call', notes: 'Called, no answer' } }, session),
    );
    const readLead = withLead((params) => client.call(getLead.byUuid, { params }, session));
    // Repeated by how often users do it.
    const acts: Act[] = [
      ...[readList, readList, readList, readList, readList, readList, readLead, readLead, changeStatus, changeStatus],
      ...[writeNotes, addCall, search, readNotifications],
    ];

    await pause(Math.random() * POLL_MS, over); // users open their pages at different moments
    openEventStream(defer, client.url, cookie);
    const polling = setInterval(() => {
      for (const call of [getWeeklyContacts, getMonthlyContacts]) void client.call(call, {}, session).then(record);
    }, POLL_MS);
    defer(() => clearInterval(polling));
    while (!over.aborted) {
      const result = await pick(acts)();
      if (result) record(result);
      await pause(THINK_MS * (0.5 + Math.random()), over);
    }
  });

export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

export const pause = (ms: number, over: AbortSignal) => wait(ms, undefined, { signal: over }).catch(() => {});
