import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { DEFAULT_TEAM_SETTINGS } from '#contract/settings/team-settings.ts';
import { ada, aLead, aLeadItem, aLeadPage, bob, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
import { choose, inCard, lastQuery, listServer, openList, press, showList } from '#web/testing/lead-list.tsx';

const chips = () => within(screen.getByRole('group', { name: 'Filters in use' }));
const removeFilter = (name: string) => userEvent.click(chips().getByRole('button', { name: `Remove filter: ${name}` }));

test('with the panel closed, the filters in use are chips that remove them', async () => {
  const { server } = await openList();
  await choose('Lead Status', 'Recontact');
  await choose('UK Town', 'Leeds');
  await choose('Assigned User', 'Bob Cratchit');
  await userEvent.click(screen.getByRole('switch', { name: 'Show Archived' }));
  expect(screen.queryByRole('group', { name: 'Filters in use' })).toBeNull();

  await press('Hide Filters');
  for (const text of ['Status: Recontact', 'Town: Leeds', 'User: Bob Cratchit', 'With archived leads']) {
    expect(chips().getByText(text)).toBeVisible();
  }

  await removeFilter('Status: Recontact');
  await removeFilter('With archived leads');
  expect(lastQuery(server)).toMatchObject({ town: 'Leeds', user: String(bob.id), archived: 'false' });
  expect(lastQuery(server)).not.toHaveProperty('status');

  await userEvent.click(chips().getByRole('button', { name: 'Reset Filters' }));
  expect(lastQuery(server)).not.toHaveProperty('town');
  expect(screen.queryByRole('group', { name: 'Filters in use' })).toBeNull();
});

test('the leads of a notification are a filter with a chip, also with the panel open, and not on the next visit', async () => {
  window.history.replaceState(null, '', '/crm?notification=12');
  const { server, unmount } = await openList();
  expect(lastQuery(server)).toMatchObject({ notification: '12' });
  expect(screen.getByRole('region', { name: 'Filters' })).toBeVisible();
  expect(chips().getByText('Assigned together')).toBeVisible();
  unmount();
  window.history.replaceState(null, '', '/crm');
  showList();
  await screen.findByText(/results? found/);
  expect(lastQuery(server)).not.toHaveProperty('notification');
});

test('removing the chip of a notification shows all leads', async () => {
  window.history.replaceState(null, '', '/crm?notification=12');
  const { server } = await openList();
  await removeFilter('Assigned together');
  expect(lastQuery(server)).not.toHaveProperty('notification');
});

test('the leads of a change are a filter with a chip, and the next visit shows the list as before', async () => {
  const batch = '11111111-1111-4111-8111-111111111111';
  window.history.replaceState(null, '', `/crm?changes=${batch}&hideClosed=false&archived=true&existing=true`);
  const { server, unmount } = await openList();
  const every = { hideClosed: 'false', archived: 'true', existing: 'true' };
  expect(lastQuery(server)).toMatchObject({ changes: batch, ...every });
  await removeFilter('Changed together');
  expect(lastQuery(server)).not.toHaveProperty('changes');
  unmount();

  window.history.replaceState(null, '', `/crm?changes=${batch}&hideClosed=false&archived=true&existing=true`);
  const again = showList();
  await screen.findByText(/results? found/);
  again.unmount();
  window.history.replaceState(null, '', '/crm');
  showList();
  await screen.findByText(/results? found/);
  expect(lastQuery(server)).not.toHaveProperty('changes');
  expect(lastQuery(server)).toMatchObject({ hideClosed: 'true', archived: 'false', existing: 'false' });
});

test('the filter panel stays as the user left it', async () => {
  const { unmount } = await openList();
  await press('Hide Filters');
  unmount();
  showList();
  await screen.findByText(/results? found/);
  expect(screen.queryByRole('region', { name: 'Filters' })).toBeNull();
  await press('Show Filters');
  expect(screen.getByRole('region', { name: 'Filters' })).toBeVisible();
});

test('a card shows the last contact and the first line of the newest activity, or its outcome, else of the notes', async () => {
  vi.setSystemTime('2026-03-10T12:00:00.000Z');
  const called = { lastContactedAt: '2026-03-08T12:00:00.000Z' };
  const server = listServer();
  const outcomes = { ...DEFAULT_OUTCOMES, no_answer: { ...DEFAULT_OUTCOMES.no_answer, label: 'Nobody there' } };
  server.responds(getTeamSettings, { ...TEAM_SETTINGS, settings: { ...DEFAULT_TEAM_SETTINGS, outcomes } });
  server.responds(
    listLeads,
    aLeadPage([
      { ...aLeadItem(1, called), latestActivity: { type: 'call', text: 'Spoke to the owner', outcome: 'spoke' } },
      aLeadItem(2, { notes: 'Closed on Mondays\nAsk for Sam' }),
      aLeadItem(3),
      { ...aLeadItem(4, called), latestActivity: { type: 'call', text: '', outcome: 'no_answer' } },
    ]),
  );
  showList();
  await screen.findByText(/results? found/);
  expect(inCard('Shop 1').getByText('2 days ago')).toBeVisible();
  expect(inCard('Shop 1').getByText(/Call: Spoke to the owner/)).toBeVisible();
  expect(inCard('Shop 2').getByText(/Closed on Mondays/)).toBeVisible();
  expect(inCard('Shop 2').queryByText(/Ask for Sam/)).toBeNull();
  expect(inCard('Shop 3').getByText('No contact yet')).toBeVisible();
  expect(inCard('Shop 4').getByText(/Call: Nobody there/)).toBeVisible();
});

test("one's own name is hidden where every card would show it", async () => {
  const own = { userId: ada.id };
  const { unmount } = await openList([aLeadItem(1, own), aLeadItem(2, own)]);
  expect(inCard('Shop 1').getByText('Ada Lovelace').parentElement).toHaveClass('sr-only');
  unmount();
  await openList([aLeadItem(1, own), aLeadItem(2, { userId: bob.id })]);
  expect(inCard('Shop 1').getByText('Ada Lovelace').parentElement).not.toHaveClass('sr-only');
});

test('the selection survives a visit to another screen, but no lead that is gone meanwhile', async () => {
  const items = [aLeadItem(1), aLeadItem(2), aLeadItem(3)];
  const { server, unmount } = await openList(items);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Shop 1' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Shop 3' }));
  unmount();

  server.responds(listLeads, aLeadPage([{ ...aLeadItem(2), userBusiness: aLead(2) }, aLeadItem(3)]));
  showList();
  expect(await screen.findByText('1 selected')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select Shop 3' })).toBeChecked();
  expect(screen.getByRole('checkbox', { name: 'Select Shop 2' })).not.toBeChecked();
});

test('the open tab refers to a panel while the leads are loading', () => {
  listServer().holds(listLeads);
  showList();
  const panel = screen.getByRole('tab', { name: 'List' }).getAttribute('aria-controls') ?? '';
  expect(document.getElementById(panel)).toHaveTextContent('Loading');
});
