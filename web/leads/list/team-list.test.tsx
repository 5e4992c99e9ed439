import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { bulkReassign, listLeads, listLeadTowns } from '#contract/leads/lead-lists.calls.ts';
import { refetchChangedLeads } from '#web/leads/leads.data.ts';
import { ada, aLeadItem, bob } from '#web/testing/fixtures.ts';
import { choose, DEFAULT_QUERY, lastQuery, openList, press } from '#web/testing/lead-list.tsx';

const manager = { ...ada, role: 'manager' as const };
const NOTICE = /you can read and reassign them/;
const TEAM_OF_BOB = `/crm?team=true&user=${bob.id}`;
const own = { ...DEFAULT_QUERY, user: String(ada.id) };

const openAt = (path: string, as = manager) => {
  window.history.replaceState(null, '', path);
  return openList([aLeadItem(1)], { as });
};

test("a manager's list has their own leads, and that of a member is one choice away", async () => {
  const { server } = await openAt('/crm');
  expect(lastQuery(server)).toEqual(own);
  expect(screen.queryByText(NOTICE)).toBeNull();
  await screen.findByRole('option', { name: 'Bob Cratchit' });

  await choose('Assigned User', 'Bob Cratchit');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, team: 'true', user: String(bob.id) }));
  expect(screen.getByText(NOTICE)).toBeVisible();
  await waitFor(() => expect(lastQuery(server, listLeadTowns)).toEqual({ team: 'true' }));

  await choose('Assigned User', 'All Users');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, team: 'true' }));

  await choose('Assigned User', 'Ada Lovelace');
  await waitFor(() => expect(lastQuery(server)).toEqual(own));
  expect(window.location.search).toBe('');
});

test('one click leaves the leads of the team', async () => {
  const { server } = await openAt(`${TEAM_OF_BOB}&attention=overdue`);
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, team: 'true', user: String(bob.id), attention: 'overdue' });
  await press('Show my own leads');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...own, attention: 'overdue' }));
  expect(screen.queryByText(NOTICE)).toBeNull();
});

test('the leads of the team are not what the list opens with next time', async () => {
  const { unmount } = await openAt(`${TEAM_OF_BOB}&attention=overdue&hideClosed=false&existing=true&town=York`);
  unmount();
  const { server } = await openAt('/crm');
  expect(lastQuery(server)).toEqual({ ...own, town: 'York' });
});

test('with the filter panel open, "Reset Filters" is there once', async () => {
  await openAt(`${TEAM_OF_BOB}&attention=quiet`);
  expect(screen.getByRole('button', { name: 'Reset Filters' })).toBeVisible();
});

test('the user and what needs attention are chips, also with the filter panel open', async () => {
  const { server } = await openAt(`${TEAM_OF_BOB}&attention=quiet`);
  expect(screen.getByRole('region', { name: 'Filters' })).toBeVisible();
  const chips = within(screen.getByRole('group', { name: 'Filters in use' }));
  expect(await chips.findByText('User: Bob Cratchit')).toBeVisible();
  await press('Remove filter: Going quiet');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, team: 'true', user: String(bob.id) }));
});

test('a change of any lead of the team refetches the list', async () => {
  const { server, queries } = await openAt(TEAM_OF_BOB);
  await refetchChangedLeads(queries, { ids: [99], inList: false });
  await waitFor(() => expect(server.times(listLeads)).toBe(2));
});

test("a change of others' leads does not refetch a manager's own list", async () => {
  const { server, queries } = await openAt('/crm');
  await refetchChangedLeads(queries, { ids: [99], inList: false });
  expect(server.times(listLeads)).toBe(1);
});

test('work mode is for own leads', async () => {
  window.history.replaceState(null, '', '/crm');
  const { unmount } = await openList([aLeadItem(1), aLeadItem(2)], { as: manager });
  expect(screen.getByRole('button', { name: /Work through/ })).toBeVisible();
  unmount();
  window.history.replaceState(null, '', TEAM_OF_BOB);
  await openList([aLeadItem(1), aLeadItem(2)], { as: manager });
  expect(screen.queryByRole('button', { name: /Work through/ })).toBeNull();
});

test('of the bulk actions only those that reassign are offered for leads of the team', async () => {
  const { server, toasts } = await openAt(TEAM_OF_BOB);
  server.responds(bulkReassign, { results: { success: 1, failed: 0, errors: [] } });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Shop 1' }));
  await press('Bulk Actions');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Reassign', 'Assign evenly']);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Reassign' }));
  await screen.findByRole('option', { name: /Bob/ });
  await choose('Reassign to', 'Bob Cratchit (bob)');
  await press('Reassign');
  await waitFor(() => expect(toasts).toContain('1 businesses reassigned successfully'));
});

test.each([
  ['a user', { ...ada, role: 'user' as const }, own],
  ['an admin', ada, { ...DEFAULT_QUERY, user: String(bob.id) }],
])('%s who opens such a link gets the list they have anyway', async (_, as, query) => {
  const { server } = await openAt(TEAM_OF_BOB, as as typeof manager);
  expect(lastQuery(server)).toEqual(query);
  expect(screen.queryByText(NOTICE)).toBeNull();
});

test('a list that a report opened says what it shows, and proposes that as the name of a view', async () => {
  await openAt(`${TEAM_OF_BOB}&step=won&assignedFrom=2026-10-01&assignedTo=2026-10-31&hideClosed=false&archived=true`);
  const sentence = 'Won: leads assigned in October 2026 to Bob Cratchit';
  expect(await screen.findByRole('heading', { name: sentence })).toBeVisible();
  await press('Views');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save as new view' }));
  expect(await screen.findByLabelText('Name')).toHaveValue(sentence);
});

test('what a report filters a list by is gone with the next visit', async () => {
  const own = '[[12,"is","1"]]';
  await openAt(`${TEAM_OF_BOB}&step=won&own=${encodeURIComponent(own)}&origin=sweep`);
  cleanup();
  await openAt('/crm');
  const params = new URLSearchParams(window.location.search);
  expect([params.get('own'), params.get('origin')]).toEqual([null, null]);
});
