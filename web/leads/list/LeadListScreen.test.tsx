import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listLeads, listLeadTowns } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus, markViewedInList } from '#contract/leads/leads.calls.ts';
import { getUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';
import { toasts as pageToasts, toast } from '#web/kit/toasts.ts';
import { ada, aLead, aLeadItem, aLeadPage, bob, SETTINGS } from '#web/testing/fixtures.ts';
import {
  card,
  choose,
  DEFAULT_QUERY,
  inCard,
  lastQuery,
  listServer,
  openList,
  press,
  showList,
} from '#web/testing/lead-list.tsx';
import { dismissToast, show } from '#web/testing/show.tsx';
import { LeadListScreen } from './LeadListScreen.tsx';

test('a card shows the details of a lead', async () => {
  const florist = aLeadItem(
    1,
    {
      viewed: false,
      status: 'in_progress',
      assignedAt: new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString(),
      customFields: { email: 'hello@florist.test' },
    },
    {
      name: 'Florist',
      phone: '0113 496 0000',
      website: 'https://www.florist.test/shop',
      googleMapsUrl: 'https://maps.google.com/?cid=1',
    },
  );
  await openList([florist]);

  expect(screen.getByText('1 result found')).toBeVisible();
  const inFlorist = inCard('Florist');
  for (const text of ['NEW', 'In Progress', 'Bob Cratchit', 'Assigned 3 days ago', /1 High Street, Leeds/]) {
    expect(inFlorist.getByText(text)).toBeVisible();
  }
  expect(inFlorist.getByRole('link', { name: 'View on map' })).toHaveAttribute(
    'href',
    'https://maps.google.com/?cid=1',
  );
  expect(inFlorist.getByRole('link', { name: '0113 496 0000' })).toHaveAttribute('href', 'tel:01134960000');
  expect(inFlorist.getByRole('link', { name: 'florist.test' })).toHaveAttribute(
    'href',
    'https://www.florist.test/shop',
  );
  expect(inFlorist.getByRole('link', { name: 'hello@florist.test' })).toHaveAttribute(
    'href',
    'mailto:hello@florist.test',
  );
  expect(inFlorist.getByRole('link', { name: 'View Profile' })).toHaveAttribute(
    'href',
    `/business/uuid/${florist.userBusiness.uuid}`,
  );
  expect(inFlorist.queryByText('Imported')).toBeNull();
});

test('imported, archived and existing-customer leads have badges, and an imported one has no maps link', async () => {
  await openList([aLeadItem(1, { tags: ['Imported'], archived: true, existingCustomer: true })]);
  for (const badge of ['Imported', 'ARCHIVED', 'Existing Customer'])
    expect(inCard('Shop 1').getByText(badge)).toBeVisible();
  expect(inCard('Shop 1').queryByRole('link', { name: 'View on map' })).toBeNull();
  expect(inCard('Shop 1').queryByText('NEW')).toBeNull();
});

test('a lead without an address, or with an unsafe website, is still shown', async () => {
  await openList([aLeadItem(1, {}, { formattedAddress: null, website: 'javascript:alert(1)', phone: 'ask for Jo' })]);
  expect(inCard('Shop 1').getByText('No address available')).toBeVisible();
  expect(inCard('Shop 1').getByText('javascript:alert(1)').closest('a')).toBeNull();
  expect(inCard('Shop 1').getByText('ask for Jo').closest('a')).toBeNull();
});

test('the table shows the leads in its columns', async () => {
  await openList([aLeadItem(1, { status: 'closed_won' })]);
  await userEvent.click(screen.getByRole('tab', { name: 'Table' }));

  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.replace(/Select.*/, ''))).toEqual([
    '',
    'Business Name',
    'Assigned To',
    'Status',
    'Date Assigned',
    'Actions',
  ]);
  const row = screen.getByRole('row', { name: /Shop 1/ });
  expect(within(row).getByText('Bob Cratchit')).toBeVisible();
  expect(within(row).getByText('Closed (Won)')).toBeVisible();
  expect(within(row).getByText('Mar 4, 2026')).toBeVisible();
  expect(within(row).getByRole('link', { name: 'View Profile' })).toBeVisible();
  expect(window.location.search).toBe('?view=table');
});

test('the table sorts by its headings', async () => {
  window.history.replaceState(null, '', '/crm?view=table');
  const { server } = await openList();
  const heading = (name: string) => screen.getByRole('columnheader', { name });
  expect(heading('Date Assigned')).toHaveAttribute('aria-sort', 'descending');
  for (const [name, sort, direction] of [
    ['Date Assigned', 'oldest', 'ascending'],
    ['Business Name', 'name', 'ascending'],
    ['Business Name', 'name-desc', 'descending'],
    ['Status', 'status', 'ascending'],
  ] as const) {
    await userEvent.click(within(heading(name)).getByRole('button', { name }));
    await waitFor(() => expect(lastQuery(server).sort).toBe(sort));
    expect(heading(name)).toHaveAttribute('aria-sort', direction);
  }
  expect(within(heading('Assigned To')).queryByRole('button')).toBeNull();
});

test('the table changes a status in place; leads of others are not offered it', async () => {
  window.history.replaceState(null, '', '/crm?view=table');
  const { server, toasts, unmount } = await openList([aLeadItem(1, { status: 'new' })]);
  server.responds(changeLeadStatus.byId, aLead(1, { status: 'recontact' }));
  await userEvent.click(screen.getByRole('button', { name: 'New', description: 'Shop 1' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).not.toContain('New');
  await userEvent.click(screen.getByRole('menuitem', { name: 'Recontact' }));
  await waitFor(() => expect(toasts).toContain('Status updated'));
  expect(server.last(changeLeadStatus.byId)?.body).toEqual({ status: 'recontact' });
  unmount();

  window.history.replaceState(null, '', '/crm?view=table&team=true');
  await openList([aLeadItem(1, { userId: bob.id })], { as: { ...ada, id: 9, role: 'manager' } });
  expect(screen.getByRole('row', { name: /Shop 1/ })).toHaveTextContent('New');
  expect(screen.queryByRole('button', { name: 'New' })).toBeNull();
});

test.each([
  ['is loaded', "team's", 'Jul 1, 2026'],
  ['cannot be loaded', "browser's", 'Jun 30, 2026'],
])('a date is empty until the time zone %s, and then in the %s', async (outcome, _, date) => {
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone: 'UTC' } as never);
  window.history.replaceState(null, '', '/crm?view=table');
  const server = listServer([aLeadItem(1, { assignedAt: '2026-06-30T23:30:00.000Z' })]);
  const settings = server.holds(getSettings);
  showList();
  const row = await screen.findByRole('row', { name: /Shop 1/ });
  expect(row).not.toHaveTextContent('2026');

  if (outcome === 'is loaded') settings.respond(SETTINGS);
  else settings.refuse('internal', 'Something went wrong');
  expect(await within(row).findByText(date)).toBeVisible();
});

test('a user sees their own leads only, with a disabled user filter and no import', async () => {
  const { server } = await openList([aLeadItem(1)], { as: bob });
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, user: '2' });
  expect(screen.getByRole('combobox', { name: 'Assigned User' })).toBeDisabled();
  expect(screen.queryByRole('link', { name: 'Import Businesses' })).toBeNull();
});

test('administrators have a link to the import', async () => {
  await openList();
  expect(screen.getByRole('link', { name: 'Import Businesses' })).toHaveAttribute('href', '/import');
});

test('loading is shown, and a failure can be retried', async () => {
  const server = listServer();
  const held = server.holds(listLeads);
  showList();
  expect(screen.getByText('Loading leads…')).toBeInTheDocument();
  held.refuse('internal', 'Something went wrong');
  expect(await screen.findByRole('alert')).toHaveTextContent('500: Something went wrong');

  server.responds(listLeads, aLeadPage([aLeadItem(1)]));
  await press('Try Again');
  expect(await screen.findByRole('article', { name: 'Shop 1' })).toBeVisible();
});

test('a toast on load says that the list is refreshed', async () => {
  await openList();
  expect(pageToasts.current()?.title).toBe('List refreshed');
});

test('a list that was loaded before is not announced again', async () => {
  const { queries, unmount } = await openList();
  unmount();
  dismissToast();
  show(<LeadListScreen />, { queries });
  expect(screen.getByText('2 results found')).toBeVisible();
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(pageToasts.current()).toBeUndefined();
});

test('a changed filter, page or sort order is not announced as a refresh', async () => {
  const { server } = await openList();
  const dismiss = () => pageToasts.dismiss(pageToasts.current()?.id ?? 0);
  dismiss();
  await choose('Sort by date', 'Oldest first');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, sort: 'oldest' }));
  await choose('UK Town', 'York');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, sort: 'oldest', town: 'York' }));
  await waitFor(() => expect(screen.getByText('2 results found')).toBeVisible());
  await act(() => Promise.resolve());
  expect(pageToasts.current()).toBeUndefined();
});

test('the toast of the action before the visit stays', async () => {
  listServer();
  showList();
  toast({ title: 'Business archived' });
  await screen.findByText('2 results found');
  expect(pageToasts.current()?.title).toBe('Business archived');
});

test('Refresh List refetches the list and the options of its filters, and shows a toast', async () => {
  const { server, toasts } = await openList();
  server.responds(listLeads, aLeadPage([aLeadItem(9)]));
  const before = server.times(listLeadTowns);
  await press('Refresh List');
  expect(await screen.findByRole('article', { name: 'Shop 9' })).toBeVisible();
  await waitFor(() => expect(toasts[0]).toMatch(/^List refreshed/));
  expect(server.times(listLeadTowns)).toBe(before + 1);
});

test('a refresh that fails shows the reason', async () => {
  const { server, toasts } = await openList();
  server.refuses(listLeads, 'internal', 'Something went wrong');
  await press('Refresh List');
  await waitFor(() => expect(toasts).toEqual(['Error | 500: Something went wrong']));
});

test('a new lead can be marked as viewed from its card', async () => {
  const unviewed = aLeadItem(1, { viewed: false });
  const { server, toasts } = await openList([unviewed]);
  server.responds(markViewedInList.byId, { ...unviewed.userBusiness, viewed: true });
  server.responds(listLeads, aLeadPage([aLeadItem(1)]));

  await press('Mark as Viewed');

  await waitFor(() => expect(toasts).toEqual(['Business marked as viewed']));
  expect(server.last(markViewedInList.byId)?.path).toBe('/api/business-view/1');
  expect(inCard('Shop 1').queryByText('NEW')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Mark as Viewed' })).toBeNull();
  // The pressed button is gone.
  expect(inCard('Shop 1').getByRole('link', { name: 'View Profile' })).toHaveFocus();
});

test('the list state is restored per user, and the URL wins over the stored state', async () => {
  const { unmount } = await openList();
  await choose('Sort by date', 'Oldest first');
  await userEvent.click(screen.getByRole('tab', { name: 'Table' }));
  unmount();

  window.history.replaceState(null, '', '/crm');
  const second = await openList();
  expect(lastQuery(second.server)).toEqual({ ...DEFAULT_QUERY, sort: 'oldest' });
  expect(screen.getByRole('table')).toBeVisible();
  expect(window.location.search).toBe('?view=table&sort=oldest');
  second.unmount();

  window.history.replaceState(null, '', '/crm?town=York');
  const third = await openList();
  expect(lastQuery(third.server)).toEqual({ ...DEFAULT_QUERY, town: 'York' });
  third.unmount();

  window.history.replaceState(null, '', '/crm');
  const other = await openList([], { as: bob });
  expect(lastQuery(other.server)).toEqual({ ...DEFAULT_QUERY, user: '2' });
});

test('a link to another state of the list shows that state', async () => {
  const { server } = await openList();
  act(() => window.history.pushState(null, '', '/crm?town=York'));
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, town: 'York' }));
  expect(screen.getByRole('combobox', { name: 'UK Town' })).toHaveValue('York');
});

test('going back to the list without filters shows it without filters', async () => {
  window.history.replaceState(null, '', '/crm');
  const { server } = await openList();
  act(() => window.history.pushState(null, '', '/crm?town=York'));
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, town: 'York' }));
  window.history.back();
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
  expect(screen.getByRole('combobox', { name: 'UK Town' })).toHaveValue('all');
  expect(window.location.search).toBe('');
});

test('after a visit to a profile its card is highlighted for 1.5 s and the page scrolls back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  setUserItem(ada.id, 'last-viewed', { uuid: aLeadItem(2).userBusiness.uuid, scroll: 640 });
  const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
  await openList();

  expect(card('Shop 2')).toHaveAttribute('data-highlighted');
  expect(card('Shop 1')).not.toHaveAttribute('data-highlighted');
  act(() => vi.advanceTimersByTime(1_000));
  expect(scrolled).toHaveBeenCalledExactlyOnceWith(0, 640);
  act(() => vi.advanceTimersByTime(500));
  expect(card('Shop 2')).not.toHaveAttribute('data-highlighted');
  expect(getUserItem(ada.id, 'last-viewed')).toBeNull();
});

test('opening a profile stores the lead and the scroll position', async () => {
  await openList();
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(320);
  await userEvent.click(inCard('Shop 2').getByRole('link', { name: 'View Profile' }));
  expect(getUserItem(ada.id, 'last-viewed')).toEqual({ uuid: aLeadItem(2).userBusiness.uuid, scroll: 320 });
});

test('a wrong number is shown as such and not offered', async () => {
  await openList([aLeadItem(1, {}, { phone: '0113 496 0000', phoneIsWrong: true })]);
  expect(inCard('Shop 1').getByText('Wrong number')).toBeVisible();
  expect(inCard('Shop 1').getByText('0113 496 0000').tagName).toBe('S');
  expect(inCard('Shop 1').queryByRole('link', { name: '0113 496 0000' })).toBeNull();
});
