import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import * as calls from '#contract/duplicates/duplicates.calls.ts';
import { currentUrl } from '#web/testing/app.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aLead, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { DuplicatesScreen } from './DuplicatesScreen.tsx';

beforeEach(() => window.history.replaceState(null, '', '/duplicates'));

const holder = ({ id, username, fullName }: typeof ada) => ({ id, username, fullName });

const record = (id: number, given: Partial<calls.DuplicateRecord> = {}): calls.DuplicateRecord => ({
  id,
  name: `Blue Door Bakery ${id}`,
  address: '1 High Street, York YO1 7HU',
  town: 'York',
  phone: '01632 960001',
  phoneTyped: false,
  website: null,
  websiteTyped: false,
  type: null,
  typeGuessed: true,
  position: null,
  updatedAt: `2026-11-0${id}T09:00:00.000Z`,
  agrees: ['name', 'phone'],
  leads: [{ uuid: aLead(id).uuid, status: 'new', archived: false, holder: holder(id === 1 ? ada : bob) }],
  ...given,
});
const GROUP: calls.DuplicateGroup = {
  score: 0.96,
  reasons: ['phone', 'name_postcode'],
  records: [record(1), record(2, { phone: '+44 1632 960001', website: 'https://bluedoor.example' })],
};
const SCAN = { completedAt: '2026-11-17T09:00:00.000Z', businesses: 1_234, waiting: 0 };

function openDuplicates(items: calls.DuplicateGroup[] = [GROUP], given = {}) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(calls.listDuplicates, { items, total: items.length, page: 1, pageSize: 20, scan: SCAN, ...given });
  return { server, ...show(<DuplicatesScreen />) };
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

test('records are shown side by side with the reasons, what agrees and their leads', async () => {
  openDuplicates();
  const group = within(await screen.findByRole('listitem', { name: 'Blue Door Bakery 1' }));
  expect(group.getByText('Same phone')).toBeVisible();
  expect(group.getByText('96% likely')).toBeVisible();
  const [first, second] = group.getByRole('list', { name: 'Records' }).children;
  expect(first).toHaveTextContent(/NameAgrees: Blue Door Bakery 1/);
  expect(first).toHaveTextContent(/WebsiteNone/);
  expect(second).toHaveTextContent('https://bluedoor.example');
  expect(group.getByRole('link', { name: 'Lead of Bob Cratchit' })).toHaveAttribute(
    'href',
    `/business/uuid/${aLead(2).uuid}`,
  );
  expect(await screen.findByText(/All 1,234 businesses were compared, last on Nov 17, 2026/)).toBeVisible();
});

test('merging sends the chosen values, and its toast undoes it', async () => {
  const { server, toasts, lastUndo } = openDuplicates();
  const id = crypto.randomUUID();
  server.responds(calls.mergeBusinesses, { message: '2 records merged', id, keptId: 1, joinedLeads: 0 });
  server.responds(calls.undoMerge, { message: '1 taken back', takenBack: 1, deleted: 0, left: [], creditsKept: 0 });

  await press('Merge…');
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge 2 records?' }));
  // Only what differs is asked, and the newer value is chosen.
  expect(dialog.getAllByRole('group').map((group) => within(group).getAllByRole('radio').length)).toEqual([2, 2, 2]);
  expect(dialog.getByRole('radio', { name: 'Blue Door Bakery 2' })).toBeChecked();
  await userEvent.click(dialog.getByRole('radio', { name: 'Blue Door Bakery 1' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Merge' }));

  await waitFor(() => expect(toasts).toEqual(['2 records merged']));
  expect(server.last(calls.mergeBusinesses)?.body).toMatchObject({
    keptId: 1,
    businessIds: [1, 2],
    fields: { name: 1, phone: 2, website: 2 },
  });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  lastUndo()?.();
  await waitFor(() => expect(toasts.at(-1)).toBe('Undone | 1 taken back'));
  expect(server.last(calls.undoMerge)?.path).toBe(`/api/duplicates/merges/${id}/undo`);
});

test('a refused merge says why and keeps the dialog', async () => {
  const { server, toasts } = openDuplicates();
  server.refuses(calls.mergeBusinesses, 'already_merged', 'One of these businesses was already merged');
  await press('Merge…');
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Merge' }));
  await waitFor(() => expect(toasts).toEqual(['Failed to merge | 409: One of these businesses was already merged']));
  expect(screen.getByRole('dialog')).toBeVisible();
});

test('"Not a duplicate" is sent, and its toast takes it back', async () => {
  const { server, toasts, lastUndo } = openDuplicates();
  server.responds(calls.dismissDuplicates, { message: 'Marked as not a duplicate', count: 1 });
  server.responds(calls.reopenDuplicates, { message: 'Shown as a possible duplicate again', count: 1 });
  await press('Not a duplicate');
  await waitFor(() => expect(toasts).toEqual(['Marked as not a duplicate']));
  expect(server.last(calls.dismissDuplicates)?.body).toEqual({ businessIds: [1, 2] });
  lastUndo()?.();
  await waitFor(() => expect(server.last(calls.reopenDuplicates)?.body).toEqual({ businessIds: [1, 2] }));
});

test('of three records, those to merge are chosen', async () => {
  const { server } = openDuplicates([{ ...GROUP, records: [record(1), record(2), record(3)] }]);
  server.responds(calls.dismissDuplicates, { message: 'Marked as not a duplicate', count: 1 });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Blue Door Bakery 2' }));
  await press('Not a duplicate');
  await waitFor(() => expect(server.last(calls.dismissDuplicates)?.body).toEqual({ businessIds: [1, 3] }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose Blue Door Bakery 3' }));
  expect(screen.getByRole('button', { name: 'Merge…' })).toBeDisabled();
});

test('filters are in the URL and are sent', async () => {
  const { server } = openDuplicates();
  await userEvent.selectOptions(await screen.findByLabelText('Reason'), 'Same website');
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Not duplicates');
  await waitFor(() => expect(currentUrl()).toBe('/duplicates?state=dismissed&reason=website'));
  await waitFor(() => expect(server.last(calls.listDuplicates)?.path).toContain('state=dismissed&reason=website'));
  expect(await screen.findByRole('button', { name: 'Show as a duplicate again' })).toBeVisible();
});

test('while businesses are compared, groups stay where they are until the newer list is asked for', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const { server } = openDuplicates([GROUP], { scan: { ...SCAN, waiting: 400 } });
  const merge = await screen.findByRole('button', { name: 'Merge…' });
  merge.focus();
  const found = { ...GROUP, records: [record(3), record(4)] };
  const items = [found, { ...GROUP, records: [...GROUP.records, record(5)] }];
  const scan = { ...SCAN, waiting: 200 };
  server.responds(calls.listDuplicates, { items, total: 2, page: 1, pageSize: 20, scan });

  await act(() => vi.advanceTimersByTimeAsync(5_000));

  expect(await screen.findByText(/2 groups by now/)).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Businesses compared' })).toHaveAttribute(
    'aria-valuetext',
    '1,034 of 1,234 done',
  );
  expect(merge).toHaveFocus();
  expect(screen.queryByRole('listitem', { name: 'Blue Door Bakery 3' })).not.toBeInTheDocument();
  const three = { items: [...items, { ...GROUP, records: [record(6), record(7)] }], total: 3, page: 1, pageSize: 20 };
  server.responds(calls.listDuplicates, { ...three, scan });
  await user.click(screen.getByRole('button', { name: 'Show them' }));
  expect(await screen.findByRole('listitem', { name: 'Blue Door Bakery 3' })).toBeVisible();
  // Not the list that was fetched before the shown one.
  expect(screen.queryByText(/by now/)).not.toBeInTheDocument();
  await waitFor(() => expect(screen.getByText('3 groups')).toHaveFocus());
});

test('an empty list fills by itself while businesses are compared', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { server } = openDuplicates([], { scan: { ...SCAN, waiting: 400 } });
  await screen.findByRole('heading', { name: 'No duplicates found' });
  server.responds(calls.listDuplicates, { items: [GROUP], total: 1, page: 1, pageSize: 20, scan: SCAN });
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(await screen.findByRole('listitem', { name: 'Blue Door Bakery 1' })).toBeVisible();
});

describe('states', () => {
  test('none found', async () => {
    openDuplicates([]);
    expect(await screen.findByRole('heading', { name: 'No duplicates found' })).toBeVisible();
  });

  test('still comparing', async () => {
    openDuplicates([], { scan: { completedAt: null, businesses: 1_000, waiting: 400 } });
    expect(await screen.findByRole('progressbar', { name: 'Businesses compared' })).toHaveAttribute(
      'aria-valuetext',
      '600 of 1,000 done',
    );
  });

  test('failed', async () => {
    const server = fakeServer();
    server.responds(getSettings, SETTINGS);
    server.refuses(calls.listDuplicates, 'forbidden', 'Something went wrong');
    show(<DuplicatesScreen />);
    expect(await screen.findByRole('heading', { name: 'Duplicates could not be loaded' })).toBeVisible();
  });
});
