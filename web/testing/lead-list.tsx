import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { getSettings } from '#contract/auth/auth.calls.ts';
import type { AnyCall } from '#contract/call.ts';
import type { Lead, LeadBusiness, LeadItem } from '#contract/leads/lead.ts';
import {
  listLeadPoints,
  listLeadStatuses,
  listLeads,
  listLeadTags,
  listLeadTowns,
} from '#contract/leads/lead-lists.calls.ts';
import type { ManagedUser, OwnUser } from '#contract/users/user.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { LeadListScreen } from '#web/leads/list/LeadListScreen.tsx';
import { ada, fakeServer, SETTINGS, show } from './fake-server.tsx';

export const bob: OwnUser = { ...ada, id: 2, username: 'bob', fullName: 'Bob Cratchit', role: 'user' };

const managed = (user: OwnUser): ManagedUser => ({
  ...user,
  failedLoginAttempts: 0,
  lockedUntil: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});

const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;

export function aLead(id: number, lead: Partial<Lead> = {}, business: Partial<LeadBusiness> = {}): LeadItem {
  const holder = lead.userId === ada.id ? ada : bob;
  return {
    business: {
      id: 1_000 + id,
      placeId: `place-${id}`,
      name: `Shop ${id}`,
      formattedAddress: `${id} High Street, Leeds LS1 4AP, UK`,
      phone: null,
      website: null,
      latitude: null,
      longitude: null,
      googleMapsUrl: null,
      ...business,
    },
    userBusiness: {
      id,
      uuid: uuidOf(id),
      userId: holder.id,
      businessId: 1_000 + id,
      status: 'new',
      viewed: true,
      archived: false,
      archivedAt: null,
      existingCustomer: false,
      existingCustomerAt: null,
      assignedAt: '2026-03-04T12:00:00.000Z',
      lastContactedAt: null,
      notes: '',
      notesVersion: 0,
      tags: [],
      customFields: {},
      createdAt: '2026-03-04T12:00:00.000Z',
      updatedAt: '2026-03-04T12:00:00.000Z',
      ...lead,
    },
    user: { id: holder.id, username: holder.username, fullName: holder.fullName },
  };
}

export const pageOf = (items: LeadItem[], total = items.length, totalCapped = false) => ({
  items,
  total,
  totalCapped,
  page: 1,
  pageSize: 10,
});

/** A server with these leads and their companions. */
export function listServer(items: LeadItem[] = [aLead(1), aLead(2)], total = items.length) {
  const server = fakeServer();
  server.responds(listLeads, pageOf(items, total));
  server.responds(listLeadPoints, { points: [], capped: false });
  server.responds(listLeadTowns, ['Leeds', 'York']);
  server.responds(listLeadTags, ['florist', 'hot', 'market']);
  server.responds(listLeadStatuses, ['new', 'qualified']);
  server.responds(listUsers, [managed(ada), managed(bob)]);
  server.responds(getSettings, SETTINGS);
  return server;
}

export function showList({ as = ada }: { as?: OwnUser } = {}) {
  const shown = pageToasts.current();
  if (shown) pageToasts.dismiss(shown.id);
  return show(<LeadListScreen />, { as });
}

export async function openList(items?: LeadItem[], { as = ada, total }: { as?: OwnUser; total?: number } = {}) {
  const server = listServer(items, total);
  const shown = showList({ as });
  await screen.findByText(/results? found/);
  return { server, ...shown };
}

/** What the list asks for as long as nobody has chosen anything. */
export const USUAL = {
  hideClosed: 'true',
  archived: 'false',
  existing: 'false',
  sort: 'newest',
  page: '1',
  pageSize: '10',
};

/** What the list was last asked for, as the server reads it. */
export const lastQuery = (server: ReturnType<typeof fakeServer>, call: AnyCall = listLeads) =>
  Object.fromEntries(new URL(server.last(call)?.path ?? '', 'http://x').searchParams);

export const card = (name: string) => screen.getByRole('article', { name });
export const inCard = (name: string) => within(card(name));
export const choose = (filter: string, option: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: filter }), option);
export const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
