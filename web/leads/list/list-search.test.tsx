import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import type { LeadMatch } from '#contract/leads/find/lead-match.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { aLeadItem, aLeadPage } from '#web/testing/fixtures.ts';
import { listServer, openList, press, showList } from '#web/testing/lead-list.tsx';

const found = (match: LeadMatch | null) => ({ ...aLeadItem(1, {}, { name: 'Copper Kettle' }), match });
const BY_NOTE: LeadMatch = { field: 'notes', text: '…asked about the déposit again' };
const REASON = 'Found by Notes: …asked about the déposit again';

test.each([
  { view: 'list', role: 'article' },
  { view: 'table', role: 'row' },
  { view: 'table&columns=name', role: 'row' },
] as const)('a lead of the $view says what it was found by, with the part marked', async ({ view, role }) => {
  window.history.replaceState(null, '', `/crm?q=deposit&view=${view}`);
  await openList([found(BY_NOTE)]);
  const lead = (await screen.findByRole('link', { name: 'Copper Kettle' })).closest(role === 'row' ? 'tr' : role);
  expect(lead).toHaveTextContent(REASON);
  expect(lead?.querySelector('mark')).toHaveTextContent(/^déposit$/);
});

test('a lead found by its name, or in a list without a text, has no such line', async () => {
  window.history.replaceState(null, '', '/crm?q=copper');
  const { unmount } = await openList([found(null)]);
  expect(screen.queryByText(/Found by/)).toBeNull();
  unmount();
  window.history.replaceState(null, '', '/crm');
  await openList([found(null)]);
  expect(screen.queryByText(/Found by/)).toBeNull();
});

test('where only similar leads were found, the list says so', async () => {
  window.history.replaceState(null, '', '/crm?q=coper');
  const server = listServer();
  server.responds(listLeads, { ...aLeadPage([found(null)]), similar: true });
  showList();
  expect(await screen.findByText('No exact match for “coper”. These leads are similar.')).toBeVisible();
  expect(screen.getByText('1 result found')).toBeVisible();
  server.responds(listLeads, aLeadPage([found(null)]));
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search by name' }), '{Backspace}');
  await waitFor(() => expect(screen.queryByText(/No exact match/)).toBeNull());
});

test('an action on all similar leads is for those that the list shows', async () => {
  window.history.replaceState(null, '', '/crm?q=coper&view=table');
  const server = listServer();
  server.responds(listLeads, { ...aLeadPage([found(null)], 30), similar: true });
  showList();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  await press('Select all 30 that match');
  await press('Bulk Actions');
  server.refuses(startBulkJob, 'internal', 'Something went wrong');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Archive' }));
  await waitFor(() => expect(server.last(startBulkJob)?.body).toMatchObject({ filter: { q: 'coper', similar: true } }));
  expect(within(screen.getByRole('table', { name: 'Leads' })).getByText('Copper Kettle')).toBeVisible();
});
