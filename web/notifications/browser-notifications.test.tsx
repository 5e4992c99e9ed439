import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listNotifications, type Notification, readNotification } from '#contract/notifications/notifications.calls.ts';
import { fakeEvents, openStreams } from '#web/testing/fake-events.ts';
import { fakeNotification } from '#web/testing/fake-notification.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { Bell } from './Bell.tsx';

const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const reminder: Notification = {
  id: 5,
  title: 'Follow-up due: Blue Door Bakery',
  message: 'Call at 16:00: Ask for Sam',
  type: 'follow_up_due',
  read: false,
  relatedBusinessId: 3,
  relatedUserBusinessId: 4,
  relatedUuid: UUID,
  leadCount: 0,
  importId: null,
  sourceUserId: null,
  createdAt: '2026-06-17T15:00:00.000Z',
};

/** The bell with one reminder, and further notifications that arrive. */
async function openBell(arriving: Notification[], choice: 'on' | 'off' | null = 'on') {
  fakeEvents();
  const browser = fakeNotification('granted');
  if (choice) localStorage.setItem(`highstreet.browser-reminders.${ada.id}`, choice);
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listNotifications, { items: [reminder], unread: 1 });
  server.responds(readNotification, { unread: 1 });
  show(<Bell />);
  await screen.findByRole('button', { name: 'Notifications, 1 unread' });
  await vi.waitFor(() => openStreams()[0] ?? Promise.reject(new Error('no stream yet')));
  act(() => openStreams()[0]?.open());
  server.responds(listNotifications, { items: [...arriving, reminder], unread: 2 });
  act(() => openStreams()[0]?.sendEvent());
  await screen.findByRole('button', { name: 'Notifications, 2 unread' });
  return { server, ...browser };
}

const arrived = { ...reminder, id: 6, title: 'Follow-up due: Corner Café' };

test("a reminder names the team's zone where the viewer's clock differs, in the browser and in the bell", async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const { shown } = await openBell([arrived]);
  expect(shown.map(({ options }) => options?.body)).toEqual(['Call at 16:00 GMT+1: Ask for Sam']);
  await userEvent.click(screen.getByRole('button', { name: 'Notifications, 2 unread' }));
  expect(await screen.findAllByText('Call at 16:00 GMT+1: Ask for Sam')).toHaveLength(2);
});

test('a reminder that arrives is shown once; a click opens the lead and marks it as read', async () => {
  const { shown, server } = await openBell([arrived]);
  expect(shown.map(({ title, options }) => [title, options])).toEqual([
    ['Follow-up due: Corner Café', { body: 'Call at 16:00: Ask for Sam', tag: 'highstreet-6' }],
  ]);
  act(() => openStreams()[0]?.sendEvent());
  await waitFor(() => expect(server.times(listNotifications)).toBeGreaterThan(2));
  expect(shown).toHaveLength(1);

  const focus = vi.spyOn(window, 'focus').mockImplementation(() => {});
  act(() => shown[0]?.onclick?.());
  expect(focus).toHaveBeenCalled();
  expect(window.location.pathname).toBe(`/business/uuid/${UUID}`);
  await waitFor(() => expect(server.last(readNotification)?.path).toBe('/api/notifications/6/read'));
});

test.each<[string, Notification, 'on' | 'off' | null]>([
  ['of another kind', { ...arrived, type: 'lead_assigned' }, 'on'],
  ['that was read in another tab', { ...arrived, read: true }, 'on'],
  ['for a user who said "Not now"', arrived, 'off'],
  ['for a user who was not asked', arrived, null],
])('a notification %s is only in the bell', async (_, notification, choice) => {
  const { shown } = await openBell([notification], choice);
  expect(shown).toEqual([]);
});
