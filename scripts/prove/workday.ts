import { setTimeout as wait } from 'node:timers/promises';
import { type LeadItem, MAIN_STATUSES } from '#contract/leads/lead.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { addActivity, changeLeadNotes, changeLeadStatus, getLead, reassignLead } from '#contract/leads/leads.calls.ts';
import { listNotifications, readAllNotifications } from '#contract/notifications/notifications.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { Client, Result } from '../measure/client.ts';
import type { User } from '../measure/users.ts';
import { openEventStream } from './event-stream.ts';

const POLL_MS = 5_000;
const THINK_MS = 2_000;
const LISTS = [{ page: 1 }, { page: 2 }, { status: 'new' }, { tags: 'campaign 1' }, { q: 'bake' }] as const;
const TOWNS = ['Leeds', 'Bristol', 'York', 'Hull', 'Bath'];

/** One user: reads lists and leads, changes and reassigns some, searches, with the page open all the time. */
export async function simulateWorkday(
  client: Client,
  { cookie }: User,
  colleagues: number[],
  record: (result: Result) => void,
  over: AbortSignal,
) {
  const session = { cookie };
  let items: LeadItem[] = [];
  const onLead = (act: (params: { uuid: string }) => Promise<Result>) => async () => {
    if (items.length) record(await act({ uuid: pick(items).userBusiness.uuid }));
  };
  const readList = async () => {
    const list = await client.call(listLeads, { query: { pageSize: 20, ...pick(LISTS) } }, session);
    record(list);
    items = list.body.items ?? items;
  };
  const readLead = onLead((params) => client.call(getLead.byUuid, { params }, session));
  const changeStatus = onLead((params) =>
    client.call(changeLeadStatus.byUuid, { params, body: { status: pick(MAIN_STATUSES) } }, session),
  );
  const writeNotes = onLead((params) =>
    client.call(changeLeadNotes.byUuid, { params, body: { notes: `Called at ${Date.now()}` } }, session),
  );
  const addCall = onLead((params) =>
    client.call(addActivity.byUuid, { params, body: { type: 'call', notes: 'No answer' } }, session),
  );
  const reassign = onLead((params) =>
    client.call(reassignLead.byUuid, { params, body: { newUserId: pick(colleagues) } }, session),
  );
  const search = async () => {
    const body = { businessType: pick(['Bakery', 'Cafe', 'Gym']), location: pick(TOWNS) };
    record(await client.call(searchBusinesses, { body }, session));
  };
  const readNotifications = async () => {
    record(await client.call(listNotifications, {}, session));
    record(await client.call(readAllNotifications, {}, session));
  };
  // Repeated by how often users do it.
  const reads = [readList, readList, readList, readList, readList, readLead, readLead];
  const acts = [...reads, changeStatus, changeStatus, writeNotes, addCall, reassign, search, readNotifications];

  await pause(Math.random() * POLL_MS, over); // users open their pages at different moments
  await openEventStream(client.url, cookie, over);
  const polling = setInterval(() => {
    for (const call of [getWeeklyContacts, getMonthlyContacts]) void client.call(call, {}, session).then(record);
  }, POLL_MS);
  for (; !over.aborted; await pause(THINK_MS * (0.5 + Math.random()), over)) await pick(acts)();
  clearInterval(polling);
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

const pause = (ms: number, over: AbortSignal) => wait(ms, undefined, { signal: over }).catch(() => {});
