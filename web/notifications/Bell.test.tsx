import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import {
  listNotifications,
  type Notification,
  readAllNotifications,
  readNotification,
} from '#contract/notifications/notifications.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { useLead } from '#web/leads/leads.data.ts';
import { fakeEvents, openStreams } from '#web/testing/fake-events.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aLeadItem, aLeadProfile, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { useUsers } from '#web/users/users.data.ts';
import { Bell } from './Bell.tsx';

const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

const assigned: Notification = {
  id: 2,
  title: 'Business reassigned to you',
  message: 'Olivia Hart assigned Corner Café to you.',
  type: 'lead_reassigned_to',
  read: false,
  relatedBusinessId: 3,
  relatedUserBusinessId: 4,
  relatedUuid: UUID,
  leadCount: 0,
  importId: null,
  sourceUserId: 5,
  createdAt: '2026-07-02T23:30:00.000Z',
};
const unassigned: Notification = {
  ...assigned,
  id: 1,
  title: 'Business reassigned',
  message: 'Olivia Hart reassigned Corner Café to another user.',
  type: 'lead_reassigned_from',
  relatedUuid: null,
};

function openBell(items = [assigned, unassigned], unread = 2) {
  fakeEvents();
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listNotifications, { items, unread });
  return { server, ...show(<Bell />) };
}

const bell = (name: string) => screen.findByRole('button', { name });
const panel = () => within(screen.getByRole('dialog', { name: 'Notifications' }));
const rows = () => within(panel().getByRole('list')).getAllByRole('listitem');

test.each([
  { unread: 0, name: 'Notifications' },
  { unread: 1, name: 'Notifications, 1 unread' },
  { unread: 120, name: 'Notifications, 120 unread' },
])('with $unread unread its name is "$name"', async ({ unread, name }) => {
  openBell([], unread);
  const button = await bell(name);
  expect(button.textContent).toBe(unread === 0 ? '' : unread > 99 ? '99+' : String(unread));
});

test('notifications are listed newest first, in the team’s time zone', async () => {
  openBell([assigned, { ...unassigned, read: true }], 1);
  await userEvent.click(await bell('Notifications, 1 unread'));
  await waitFor(() =>
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      'Unread: Business reassigned to youOlivia Hart assigned Corner Café to you.Jul 3, 2026, 00:30',
      'Business reassignedOlivia Hart reassigned Corner Café to another user.Jul 3, 2026, 00:30',
    ]),
  );
});

test('the time of a notification is empty until the time zone is known', async () => {
  fakeEvents();
  const server = fakeServer();
  server.responds(listNotifications, { items: [assigned], unread: 1 });
  const settings = server.holds(getSettings);
  show(<Bell />);
  await userEvent.click(await bell('Notifications, 1 unread'));
  const time = () => rows()[0]?.querySelector('time');
  expect(time()).toBeEmptyDOMElement();
  settings.respond(SETTINGS);
  await waitFor(() => expect(time()).toHaveTextContent('Jul 3, 2026, 00:30'));
});

test('opening a notification marks it as read and navigates to the business', async () => {
  const { server } = openBell();
  server.responds(readNotification, { unread: 1 });
  await userEvent.click(await bell('Notifications, 2 unread'));
  await userEvent.click(panel().getByRole('link', { name: /Business reassigned to you/ }));

  expect(window.location.pathname).toBe(`/business/uuid/${UUID}`);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await bell('Notifications, 1 unread')).toBeVisible();
  await waitFor(() => expect(server.last(readNotification)?.path).toBe('/api/notifications/2/read'));
});

test('a notification about a lead that the viewer no longer holds is only marked as read', async () => {
  const { server } = openBell();
  server.responds(readNotification, { unread: 1 });
  await userEvent.click(await bell('Notifications, 2 unread'));
  await userEvent.click(panel().getByRole('button', { name: /to another user/ }));

  await waitFor(() => expect(server.last(readNotification)?.path).toBe('/api/notifications/1/read'));
  expect(rows()[1]).not.toHaveTextContent('Unread');
  expect(window.location.pathname).toBe('/');

  await userEvent.click(panel().getByRole('button', { name: /to another user/ }));
  expect(server.times(readNotification)).toBe(1);
});

test('the notices of one action are one line with a link to their list', async () => {
  const group = {
    ...assigned,
    message: 'Olivia Hart assigned 10 businesses to you.',
    relatedUuid: null,
    leadCount: 10,
  };
  const { server } = openBell([group, unassigned]);
  server.responds(readNotification, { unread: 1 });
  await userEvent.click(await bell('Notifications, 2 unread'));
  expect(rows()[1]).not.toHaveTextContent('Open them');
  await userEvent.click(within(rows()[0] as HTMLElement).getByRole('link', { name: 'Open them' }));

  expect(window.location.pathname + window.location.search).toBe('/crm?notification=2');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await bell('Notifications, 1 unread')).toBeVisible();
  await waitFor(() => expect(server.last(readNotification)?.path).toBe('/api/notifications/2/read'));
});

test('the notification of an import opens the import', async () => {
  const finished = { ...unassigned, type: 'import_finished' as const, title: 'Import finished', importId: UUID };
  const { server } = openBell([finished]);
  server.responds(readNotification, { unread: 0 });
  await userEvent.click(await bell('Notifications, 2 unread'));
  await userEvent.click(panel().getByRole('link', { name: /Import finished/ }));
  expect(window.location.pathname).toBe(`/import/${UUID}`);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the notification of a comment opens the timeline of the lead', async () => {
  const { server } = openBell([{ ...unassigned, type: 'lead_comment', title: 'New comment', relatedUuid: UUID }]);
  server.responds(readNotification, { unread: 0 });
  await userEvent.click(await bell('Notifications, 2 unread'));
  await userEvent.click(panel().getByRole('link', { name: /New comment/ }));
  expect(window.location.pathname + window.location.search).toBe(`/business/uuid/${UUID}?tab=timeline`);
});

test('the notification of a problem opens the state of the system', async () => {
  const { server } = openBell([{ ...unassigned, type: 'system_problem', title: 'The last backup failed' }]);
  server.responds(readNotification, { unread: 0 });
  await userEvent.click(await bell('Notifications, 2 unread'));
  await userEvent.click(panel().getByRole('link', { name: /The last backup failed/ }));
  expect(window.location.pathname).toBe('/system');
});

test('all can be marked as read', async () => {
  const { server } = openBell();
  const held = server.holds(readAllNotifications);
  await userEvent.click(await bell('Notifications, 2 unread'));
  await userEvent.click(panel().getByRole('button', { name: 'Mark all as read' }));

  await waitFor(() => expect(panel().queryByText('Unread:')).toBeNull());
  expect(panel().queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  expect(panel().getByRole('heading', { name: 'Notifications' })).toHaveFocus();
  held.respond({ unread: 0 });
  expect(await screen.findByRole('button', { name: 'Notifications', hidden: true })).toBeInTheDocument();
});

test('a refusal makes only its own notification unread again, not one marked as read meanwhile', async () => {
  const { server } = openBell([{ ...assigned, relatedUuid: null }, unassigned]);
  const first = server.holds(readNotification);
  await userEvent.click(await bell('Notifications, 2 unread'));
  await userEvent.click(panel().getByRole('button', { name: /Business reassigned to you/ }));
  server.responds(readNotification, { unread: 1 });
  await userEvent.click(panel().getByRole('button', { name: /to another user/ }));
  await waitFor(() => expect(server.times(readNotification)).toBe(2));
  for (const row of rows()) expect(row).not.toHaveTextContent('Unread');

  server.holds(listNotifications);
  first.refuse('internal', 'Something went wrong');
  await waitFor(() => expect(rows()[0]).toHaveTextContent('Unread'));
  expect(rows()[1]).not.toHaveTextContent('Unread');
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread', hidden: true })).toBeInTheDocument();
});

test.each([
  { call: readAllNotifications, target: () => panel().getByRole('button', { name: 'Mark all as read' }) },
  { call: readNotification, target: () => panel().getByRole('button', { name: /to another user/ }) },
])('a refusal makes them unread again and shows the reason', async ({ call, target }) => {
  const { server, toasts } = openBell();
  server.refuses(call, 'internal', 'Something went wrong');
  await userEvent.click(await bell('Notifications, 2 unread'));
  await userEvent.click(target());
  await waitFor(() => expect(toasts).toEqual(['Error | 500: Something went wrong']));
  await waitFor(() => expect(panel().getAllByText('Unread:')).toHaveLength(2));
});

test('an empty list shows a message', async () => {
  openBell([], 0);
  await userEvent.click(await bell('Notifications'));
  expect(await panel().findByText(/^No notifications yet\./)).toBeVisible();
});

test('loading is shown; a failure can be retried', async () => {
  fakeEvents();
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  const held = server.holds(listNotifications);
  show(<Bell />);
  await userEvent.click(await bell('Notifications'));
  expect(panel().getByText('Loading notifications…')).toBeVisible();
  held.refuse('internal', 'Something went wrong');
  expect(await panel().findByText('Notifications could not be loaded.')).toBeVisible();

  server.responds(listNotifications, { items: [assigned], unread: 1 });
  await userEvent.click(panel().getByRole('button', { name: 'Try Again' }));
  await waitFor(() => expect(rows()).toHaveLength(1));
});

describe('with the event stream', () => {
  const firstStream = () => vi.waitFor(() => openStreams()[0] ?? Promise.reject(new Error('no stream yet')));

  test('an event refetches the notifications, another the leads on the screen that have changed', async () => {
    fakeEvents();
    const server = fakeServer();
    server.responds(getSettings, SETTINGS);
    server.responds(listNotifications, { items: [], unread: 0 });
    server.responds(getLead.byUuid, aLeadProfile(aLeadItem(4, { id: 4, uuid: UUID })));
    const BellAndLead = () => {
      useLead({ uuid: UUID });
      return <Bell />;
    };
    show(<BellAndLead />);
    await bell('Notifications');
    (await firstStream()).open();
    await waitFor(() => expect(server.times(getLead.byUuid)).toBe(1));

    server.responds(listNotifications, { items: [assigned], unread: 1 });
    act(() => openStreams()[0]?.sendEvent());

    expect(await bell('Notifications, 1 unread')).toBeVisible();
    act(() => openStreams()[0]?.sendEvent('leads', { ids: [5], inList: true }));
    expect(server.times(getLead.byUuid)).toBe(1);
    act(() => openStreams()[0]?.sendEvent('leads', { ids: [5, 4], inList: true }));
    await waitFor(() => expect(server.times(getLead.byUuid)).toBe(2));
    act(() => openStreams()[0]?.sendEvent('leads', { ids: null, inList: false }));
    await waitFor(() => expect(server.times(getLead.byUuid)).toBe(3));
  });

  test('a change during the first read is not missed: it is read once more', async () => {
    fakeEvents();
    const server = fakeServer();
    server.responds(getSettings, SETTINGS);
    const first = server.holds(listNotifications);
    show(<Bell />);
    await waitFor(() => expect(server.times(listNotifications)).toBe(1));
    (await firstStream()).open();
    act(() => openStreams()[0]?.sendEvent());
    expect(server.times(listNotifications)).toBe(1);

    server.responds(listNotifications, { items: [assigned], unread: 1 });
    first.respond({ items: [], unread: 0 });

    expect(await bell('Notifications, 1 unread')).toBeVisible();
    expect(server.times(listNotifications)).toBe(2);
  });

  test('after an interruption the leads and the users on the screen are refetched', async () => {
    fakeEvents();
    const server = fakeServer();
    server.responds(getSettings, SETTINGS);
    server.responds(listNotifications, { items: [], unread: 0 });
    server.responds(listUsers, []);
    server.responds(getLead.byUuid, aLeadProfile(aLeadItem(4, { id: 4, uuid: UUID })));
    const BellAndReads = () => {
      useLead({ uuid: UUID });
      useUsers();
      return <Bell />;
    };
    show(<BellAndReads />);
    await bell('Notifications');
    (await firstStream()).open();
    await waitFor(() => expect([server.times(getLead.byUuid), server.times(listUsers)]).toEqual([1, 1]));
    act(() => openStreams()[0]?.sendEvent('users'));
    await waitFor(() => expect([server.times(getLead.byUuid), server.times(listUsers)]).toEqual([1, 2]));
    await act(async () => openStreams()[0]?.break());
    await act(async () => openStreams()[0]?.open());
    await waitFor(() => expect([server.times(getLead.byUuid), server.times(listUsers)]).toEqual([2, 3]));
  });

  test('it polls every 30 seconds while disconnected', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { server } = openBell([], 0);
    await bell('Notifications');
    const source = await firstStream();
    await waitFor(() => expect(server.times(listNotifications)).toBe(1));
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(server.times(listNotifications)).toBe(2);

    await act(async () => source.open());
    await waitFor(() => expect(server.times(listNotifications)).toBe(3));
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect(server.times(listNotifications)).toBe(3);

    await act(async () => source.break());
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(server.times(listNotifications)).toBe(5);
  });

  test('it disconnects on unmount', async () => {
    const { unmount } = openBell([], 0);
    await bell('Notifications');
    await firstStream();
    unmount();
    await waitFor(() => expect(openStreams()).toEqual([]));
  });
});
