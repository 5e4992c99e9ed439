import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { AnyCall } from '#contract/call.ts';
import { getLatestBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import type { LeadItem } from '#contract/leads/lead.ts';
import {
  listLeadPoints,
  listLeadStatuses,
  listLeads,
  listLeadTags,
  listLeadTowns,
  listLeadTypes,
} from '#contract/leads/lead-lists.calls.ts';
import { listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { listViews } from '#contract/views/views.calls.ts';
import { LeadListScreen } from '#web/leads/list/LeadListScreen.tsx';
import { fakeServer } from './fake-server.ts';
import { ada, aLeadItem, aLeadPage, bob, SETTINGS } from './fixtures.ts';
import { dismissToast, show } from './show.tsx';

/** A server with these leads and the options of the filters. */
export function listServer(items: LeadItem[] = [aLeadItem(1), aLeadItem(2)], total = items.length) {
  const server = fakeServer();
  server.responds(listLeads, aLeadPage(items, total));
  server.responds(listLeadPoints, { points: [], capped: false });
  server.responds(listLeadTowns, ['Leeds', 'York']);
  server.responds(listLeadTypes, ['Bakery', 'Florist']);
  server.responds(listLeadTags, ['florist', 'hot', 'market']);
  server.responds(listLeadStatuses, ['new', 'qualified']);
  server.responds(listUsers, [ada, bob]);
  server.responds(
    listUsersForReassignment,
    [ada, bob].map(({ id, fullName, username, role }) => ({ id, fullName, username, role })),
  );
  server.responds(getSettings, SETTINGS);
  server.responds(getLatestBulkJob, { job: null });
  server.responds(listViews, { views: [], pinned: [], defaultView: null });
  return server;
}

export function showList({ as = ada }: { as?: OwnUser } = {}) {
  dismissToast();
  return show(<LeadListScreen />, { as });
}

export async function openList(items?: LeadItem[], { as = ada, total }: { as?: OwnUser; total?: number } = {}) {
  const server = listServer(items, total);
  const view = showList({ as });
  await screen.findByText(/results? found/);
  return { server, ...view };
}

/** The query that the list sends with default filters. */
export const DEFAULT_QUERY = {
  hideClosed: 'true',
  archived: 'false',
  existing: 'false',
  sort: 'newest',
  page: '1',
  pageSize: '10',
};

/** The query of the last request of a call. */
export const lastQuery = (server: ReturnType<typeof fakeServer>, call: AnyCall = listLeads) =>
  Object.fromEntries(new URL(server.last(call)?.path ?? '', 'http://x').searchParams);

export const card = (name: string) => screen.getByRole('article', { name });
export const inCard = (name: string) => within(card(name));
export const choose = (filter: string, option: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: filter }), option);
export const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
