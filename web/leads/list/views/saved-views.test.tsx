import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/call.ts';
import type { SavedView } from '#contract/views/view.ts';
import {
  changeView,
  countPinnedViews,
  createView,
  deleteView,
  listViews,
  restoreView,
  setViewPreferences,
} from '#contract/views/views.calls.ts';
import { toasts } from '#web/kit/toasts.ts';
import { ada, aLeadItem, bob } from '#web/testing/fixtures.ts';
import { choose, DEFAULT_QUERY, lastQuery, listServer, showList } from '#web/testing/lead-list.tsx';

const warm: SavedView = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'Warm leads',
  shared: false,
  settings: { status: 'recontact', sort: 'follow-up', view: 'table', pageSize: '40' },
  owner: { id: ada.id, fullName: ada.fullName },
};
const shared: SavedView = {
  ...warm,
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Leeds',
  shared: true,
  settings: { town: 'Leeds' },
};
const WARM_QUERY = { ...DEFAULT_QUERY, status: 'recontact', sort: 'follow-up', pageSize: '40' };

function serverWith(views: Partial<ResponseBody<typeof listViews>>) {
  const server = listServer([aLeadItem(1)]);
  server.responds(listViews, { views: [warm, shared], pinned: [], defaultView: null, ...views });
  server.responds(countPinnedViews, []);
  return server;
}

async function openViews() {
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
}
const item = (name: string | RegExp) => screen.findByRole('menuitem', { name });
const pick = async (name: string | RegExp) => userEvent.click(await item(name));

test('without pinned views the list has no tabs of views', async () => {
  serverWith({});
  showList();
  await screen.findByRole('button', { name: 'Views' });
  expect(screen.queryByRole('navigation', { name: 'Pinned views' })).toBeNull();
});

test('the menu has the built-in views, own and shared ones, and opens them', async () => {
  const server = serverWith({});
  showList();
  await openViews();
  const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(names).toEqual([
    'My open leads',
    'New today',
    'Going quiet',
    'Follow-ups due',
    'Existing customers',
    'Warm leads',
    'Leeds',
    'Save as new view',
    'Manage views',
  ]);
  await pick('Warm leads');
  await waitFor(() => expect(lastQuery(server)).toEqual(WARM_QUERY));
  expect(screen.getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');

  await openViews();
  await pick('Going quiet');
  await waitFor(() =>
    expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, contactedTo: '30d', sort: 'last-contact' }),
  );
  expect(screen.getByRole('tab', { name: 'List' })).toHaveAttribute('aria-selected', 'true');
});

test('a link that names a view opens it, and Back leaves it', async () => {
  window.history.replaceState(null, '', `/crm?saved=${warm.id}`);
  const server = serverWith({});
  showList();
  await waitFor(() => expect(lastQuery(server)).toEqual(WARM_QUERY));
  expect(new URLSearchParams(window.location.search).get('saved')).toBe(warm.id);
});

test('a view of the team shows each viewer what they may list, unchanged', async () => {
  const team: SavedView = { ...shared, settings: { team: 'true', user: '9', town: 'Leeds' } };
  const query = { ...DEFAULT_QUERY, town: 'Leeds' };
  for (const [as, seen] of [
    [bob, { ...query, user: String(bob.id) }],
    [
      { ...bob, role: 'manager' as const },
      { ...query, team: 'true', user: '9' },
    ],
    [ada, { ...query, user: '9' }],
  ] as const) {
    const server = serverWith({ views: [team], pinned: [team.id] });
    const { unmount } = showList({ as });
    await openViews();
    await pick('Leeds');
    await waitFor(() => expect(lastQuery(server)).toEqual(seen));
    expect(await screen.findByRole('link', { name: 'Leeds', current: 'page' })).toBeVisible();
    unmount();
    localStorage.clear();
    window.history.replaceState(null, '', '/crm');
  }
});

test('a view of the team that an admin updates stays one of the team', async () => {
  const team: SavedView = { ...shared, settings: { team: 'true', town: 'Leeds' } };
  const server = serverWith({ views: [team] });
  server.responds(changeView, team);
  showList();
  await openViews();
  await pick('Leeds');
  await choose('Lead Status', 'Recontact');
  await openViews();
  await pick('Update “Leeds”');
  expect(server.last(changeView)?.body).toEqual({ settings: { team: 'true', town: 'Leeds', status: 'recontact' } });
});

test('a view whose last filter is removed is left, and a reload shows the same list', async () => {
  const server = serverWith({});
  const { unmount } = showList();
  await openViews();
  await pick('Leeds');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, town: 'Leeds' }));
  await choose('UK Town', 'All Towns');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
  await waitFor(() => expect(window.location.search).toBe(''));
  unmount();
  showList();
  await screen.findByRole('button', { name: 'Views' });
  expect(lastQuery(server)).toEqual(DEFAULT_QUERY);
});

test('a link to a view that does not exist any more says so and shows the list', async () => {
  window.history.replaceState(null, '', '/crm?saved=33333333-3333-4333-8333-333333333333');
  serverWith({});
  showList();
  await waitFor(() => expect(toasts.current()?.title).toBe('View not found'));
  expect(await screen.findByText('1 result found')).toBeVisible();
  expect(window.location.search).toBe('');
});

test('the default view opens on the first visit, and not over a stored list', async () => {
  const server = serverWith({ defaultView: warm.id });
  const { unmount } = showList();
  await waitFor(() => expect(lastQuery(server)).toEqual(WARM_QUERY));
  await choose('Lead Status', 'All Statuses');
  unmount();
  window.history.replaceState(null, '', '/crm');
  showList();
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...WARM_QUERY, status: undefined }));
});

test('the default view does not open over filters that were chosen while the views were loading', async () => {
  const server = serverWith({ defaultView: warm.id });
  const views = server.holds(listViews);
  showList();
  await screen.findByText(/results? found/);
  await choose('UK Town', 'York');
  views.respond({ views: [warm, shared], pinned: [], defaultView: warm.id });
  expect(await screen.findByRole('button', { name: 'Views' })).toBeVisible();
  expect(window.location.search).toBe('?town=York');
});

test('the default view does not open over a list that was left without filters', async () => {
  const server = serverWith({ defaultView: shared.id });
  const { unmount } = showList();
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, town: 'Leeds' }));
  await choose('UK Town', 'All Towns');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
  unmount();
  window.history.replaceState(null, '', '/crm');
  showList();
  await screen.findByRole('button', { name: 'Views' });
  expect(lastQuery(server)).toEqual(DEFAULT_QUERY);
});

test('pinned views are tabs with counts, the current one is marked, and shows that it was changed', async () => {
  const server = serverWith({ pinned: ['follow-ups-due', warm.id] });
  server.responds(countPinnedViews, [
    { id: 'follow-ups-due', total: 3, totalCapped: false },
    { id: warm.id, total: 10_000, totalCapped: true },
  ]);
  showList();
  const tabs = within(await screen.findByRole('navigation', { name: 'Pinned views' }));
  const tab = await tabs.findByRole('link', { name: /Warm leads *10,000\+ *leads/ });
  expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Follow-ups due 3 leads',
    'Warm leads 10,000+ leads',
  ]);
  await userEvent.click(tab);
  await waitFor(() => expect(lastQuery(server)).toEqual(WARM_QUERY));
  expect(tabs.getByRole('link', { name: /Warm leads/ })).toHaveAttribute('aria-current', 'page');
  await choose('Items per page', '20');
  expect(await tabs.findByRole('link', { name: /Warm leads.*changed/ })).toBeVisible();

  server.responds(changeView, warm);
  await openViews();
  await pick('Update “Warm leads”');
  expect(server.last(changeView)?.body).toEqual({ settings: { ...warm.settings, pageSize: '20' } });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Views' })).toBeEnabled());
  await openViews();
  await pick('Discard changes');
  await waitFor(() => expect(lastQuery(server)).toEqual(WARM_QUERY));
});

test.each([
  [ada, true],
  [bob, false],
] as const)('the list of %o is saved as a view', async (as, mayShare) => {
  window.history.replaceState(null, '', '/crm?town=York&sort=name&page=2');
  const server = serverWith({ views: [] });
  server.responds(createView, { ...warm, name: 'York' });
  const { toasts } = showList({ as });
  await openViews();
  await pick('Save as new view');
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as New View' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save view' }));
  expect(dialog.getByText('Please enter a name')).toBeVisible();
  expect(dialog.queryByRole('checkbox') !== null).toBe(mayShare);
  await userEvent.type(dialog.getByLabelText('Name'), 'York');
  if (mayShare) await userEvent.click(dialog.getByRole('checkbox', { name: 'Share with the team' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save view' }));
  await waitFor(() => expect(toasts).toContain('View "York" saved'));
  expect(server.last(createView)?.body).toEqual({
    name: 'York',
    shared: mayShare,
    settings: { town: 'York', sort: 'name' },
  });
});

test('a name that is taken keeps the dialog and its text', async () => {
  const server = serverWith({});
  server.refuses(createView, 'duplicate_name', 'You already have a view with this name');
  showList();
  await openViews();
  await pick('Save as new view');
  await userEvent.type(await screen.findByLabelText('Name'), 'Warm leads{Enter}');
  expect(await screen.findByText('You already have a view with this name')).toBeVisible();
  expect(screen.getByLabelText('Name')).toHaveValue('Warm leads');
});

async function manageViews() {
  const server = serverWith({ pinned: ['new-today', warm.id] });
  server.responds(setViewPreferences, { pinned: [], defaultView: null });
  server.responds(changeView, warm);
  server.responds(createView, warm);
  server.responds(deleteView, warm);
  server.responds(restoreView, warm);
  const view = showList();
  await openViews();
  await pick('Manage views');
  const dialog = within(await screen.findByRole('dialog', { name: 'Manage Views' }));
  const click = (name: string) => userEvent.click(dialog.getByRole('button', { name }));
  return { server, click, ...view };
}

test('views are pinned, reordered, shared and made the default', async () => {
  const { server, click } = await manageViews();
  await click('Pin Leeds');
  const pinned = ['new-today', warm.id];
  await waitFor(() =>
    expect(server.last(setViewPreferences)?.body).toEqual({ pinned: [...pinned, shared.id], defaultView: null }),
  );
  await click('Move Warm leads up');
  await waitFor(() =>
    expect(server.last(setViewPreferences)?.body).toEqual({ pinned: [warm.id, 'new-today'], defaultView: null }),
  );
  await click('Actions for Warm leads');
  await pick('Open first after signing in');
  await waitFor(() => expect(server.last(setViewPreferences)?.body).toEqual({ pinned, defaultView: warm.id }));
  await click('Actions for Warm leads');
  await pick('Share with the team');
  await waitFor(() => expect(server.last(changeView)?.body).toEqual({ shared: true }));
});

test('views are duplicated and renamed; a built-in one cannot be changed', async () => {
  const { server, click } = await manageViews();
  await click('Actions for Going quiet');
  await item('Duplicate');
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull();
  await pick('Duplicate');
  await userEvent.click(await screen.findByRole('button', { name: 'Save view' }));
  await waitFor(() =>
    expect(server.last(createView)?.body).toEqual({
      name: 'Going quiet copy',
      shared: false,
      settings: { contactedTo: '30d', sort: 'last-contact' },
    }),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Warm leads' }));
  await pick('Rename');
  await userEvent.clear(await screen.findByLabelText('Name'));
  await userEvent.type(screen.getByLabelText('Name'), 'Hot leads{Enter}');
  await waitFor(() => expect(server.last(changeView)?.body).toEqual({ name: 'Hot leads' }));
});

test('a view is deleted, and the toast undoes it', async () => {
  const { server, click, toasts, lastUndo } = await manageViews();
  await click('Actions for Warm leads');
  await pick('Delete');
  await waitFor(() => expect(toasts).toContain('View "Warm leads" deleted'));
  lastUndo()?.();
  await waitFor(() => expect(toasts).toContain('View "Warm leads" restored'));
  expect(server.times(restoreView)).toBe(1);
});

test('views that cannot be loaded leave the list as it is, and can be loaded again', async () => {
  const server = listServer([aLeadItem(1)]);
  server.refuses(listViews, 'internal', 'Something went wrong');
  showList();
  expect(await screen.findByText('1 result found')).toBeVisible();
  expect(await screen.findByRole('alert')).toHaveTextContent('The views could not be loaded.');
  server.responds(listViews, { views: [warm], pinned: [], defaultView: null });
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('button', { name: 'Views' })).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});
