import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import { listContacts } from '#contract/reports/contacts.calls.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { createView, listViews } from '#contract/views/views.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aUser, bob, SETTINGS, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { ContactsScreen } from './ContactsScreen.tsx';

const UUID = '5f0c1c0e-3a7b-4b7e-9a55-0d8c8f6c2a11';
const CONTACTS: ResponseBody<typeof listContacts> = {
  days: { from: '2026-11-01', to: '2026-11-19' },
  total: 2,
  items: [
    {
      ...{ id: 8, type: 'call', outcome: 'spoke', at: '2026-11-18T09:05:00.000Z', person: 'Bob Cratchit' },
      lead: { uuid: UUID, name: 'Blue Door Bakery' },
    },
    { id: 7, type: 'email', outcome: null, at: '2026-11-17T09:05:00.000Z', person: null, lead: null },
  ],
};

beforeEach(() => window.history.replaceState(null, '', '/reports/contacts'));

function openContacts({ as = ada, search = '', contacts = CONTACTS } = {}) {
  window.history.replaceState(null, '', `/reports/contacts${search}`);
  const server = fakeServer();
  server.responds(listContacts, contacts);
  server.responds(getSettings, SETTINGS);
  server.responds(getTeamSettings, TEAM_SETTINGS);
  server.responds(listUsers, [ada, bob]);
  server.responds(listViews, { views: [], pinned: [], defaultView: null });
  show(<ContactsScreen />, { as });
  return server;
}
const lastQuery = (server: ReturnType<typeof fakeServer>) =>
  Object.fromEntries(new URL(server.last(listContacts)?.path ?? '', 'http://localhost').searchParams);

test('the list says what it shows, and has a row for each contact', async () => {
  const server = openContacts({
    search: `?period=quarter&who=${bob.id}&type=Bakery&tag=hot&contact=call&reached=true`,
  });
  expect(
    await screen.findByText(
      `Calls logged Nov 1, 2026 to Nov 19, 2026 by ${bob.fullName}, that reached a person, Bakery, Tag: hot.`,
    ),
  ).toBeVisible();
  expect(screen.getByText('2 contacts')).toBeVisible();
  expect(lastQuery(server)).toEqual({
    ...{
      period: 'quarter',
      user: String(bob.id),
      types: 'Bakery',
      tags: 'hot',
      contact: 'call',
      reached: 'true',
      page: '1',
    },
  });
  // Back to the report as it was: of the team.
  expect(screen.getByRole('link', { name: 'Reports' })).toHaveAttribute(
    'href',
    '/reports?period=quarter&type=Bakery&tag=hot',
  );
  const table = within(screen.getByRole('table', { name: 'Contacts' }));
  const [, first, second] = table.getAllByRole('row');
  // The time is shown once the team's zone is known.
  await waitFor(() =>
    expect(first).toHaveTextContent('Nov 18, 2026, 09:05Bob CratchitCallSpoke, not nowBlue Door Bakery'),
  );
  expect(table.getByRole('link', { name: 'Blue Door Bakery' })).toHaveAttribute('href', `/business/uuid/${UUID}`);
  expect(second).toHaveTextContent('E-mail–A lead of another user now');
});

test('an hour of a weekday is named, and chosen days', async () => {
  const days = { from: '2026-11-02', to: '2026-11-02' };
  const server = openContacts({ search: '?day=2026-11-02&callTime=1-09', contacts: { ...CONTACTS, days } });
  expect(await screen.findByText('Calls with an outcome logged on Nov 2, 2026, Monday, 09:00–10:00.')).toBeVisible();
  expect(lastQuery(server)).toMatchObject({ period: 'days', ...days, callTime: '1-09' });
});

test('several days of a report are listed, of the period before, too', async () => {
  const days = { from: '2026-10-01', to: '2026-10-19' };
  const server = openContacts({
    search: '?period=month&day=2026-10-01&until=2026-10-19',
    contacts: { ...CONTACTS, days },
  });
  expect(await screen.findByText('Calls, e-mails and visits logged Oct 1, 2026 to Oct 19, 2026.')).toBeVisible();
  expect(lastQuery(server)).toMatchObject({ period: 'days', ...days });
});

test('users have their own contacts, whatever the address says', async () => {
  const user = aUser({ id: 51, username: 'uma', fullName: 'Uma Price', role: 'user' });
  const server = openContacts({ as: user, search: '?person=7' });
  expect(await screen.findByText(/by Uma Price\.$/)).toBeVisible();
  expect(lastQuery(server)).toMatchObject({ user: '51' });
  expect(screen.queryByRole('columnheader', { name: 'Who' })).toBeNull();
});

test('a long list has pages', async () => {
  const server = openContacts({ contacts: { ...CONTACTS, total: 120 } });
  expect(await screen.findByText('Page 1 of 3')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await waitFor(() => expect(lastQuery(server)).toMatchObject({ page: '2' }));
  expect(window.location.search).toBe('?page=2');
});

test('an empty list says so, and one that could not be loaded can be tried again', async () => {
  const server = openContacts({ contacts: { ...CONTACTS, total: 0, items: [] } });
  expect(await screen.findByText('No contacts here')).toBeVisible();
  server.refuses(listContacts, 'internal', 'Something went wrong');
  window.history.replaceState(null, '', '/reports/contacts?contact=email');
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(await screen.findByText('The contacts could not be loaded')).toBeVisible();
  server.responds(listContacts, CONTACTS);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('table', { name: 'Contacts' })).toBeVisible();
});

test('the list is saved as a view, without the page', async () => {
  const server = openContacts({ search: '?type=Bakery&contact=call&day=2026-11-02&page=1' });
  const settings = { screen: 'contacts', type: 'Bakery', contact: 'call', day: '2026-11-02' };
  const saved = {
    id: UUID,
    name: 'Monday calls',
    shared: false,
    settings,
    owner: { id: ada.id, fullName: ada.fullName },
  };
  server.responds(createView, saved);
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save as new view' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'Monday calls{Enter}');
  await waitFor(() => expect(server.last(createView)?.body).toEqual({ name: 'Monday calls', shared: false, settings }));
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('saved')).toBe(UUID));
});
