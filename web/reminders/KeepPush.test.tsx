import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { addPushSubscription, changePushSettings, getPush, removePushSubscription } from '#contract/push/push.calls.ts';
import { PUSH_KINDS } from '#contract/push/push-message.ts';
import { getReminderSettings } from '#contract/reminders/reminders.calls.ts';
import { fakeNotification } from '#web/testing/fake-notification.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { KeepPush } from './KeepPush.tsx';
import { ReminderSettings } from './ReminderSettings.tsx';

const KEY = 'BKey';
const ENDPOINT = 'https://updates.push.services.mozilla.com/wpush/v2/abc';
const settings = { kinds: [...PUSH_KINDS], details: false, atAnyTime: false };
const push = { publicKey: KEY, settings, endpoint: null };

/** The push manager of a browser, whose subscription is for this key. */
function fakeManager(subscribedWith?: string) {
  const manager = { key: subscribedWith };
  const subscription = () => ({
    endpoint: ENDPOINT,
    options: {
      applicationServerKey: Uint8Array.from(atob(manager.key ?? ''), (letter) => letter.charCodeAt(0)).buffer,
    },
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: 'public', auth: 'secret' } }),
    unsubscribe: async () => {
      manager.key = undefined;
      return true;
    },
  });
  const pushManager = {
    getSubscription: async () => (manager.key ? subscription() : null),
    subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
      manager.key = String(applicationServerKey);
      return subscription();
    },
  };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  const workers = Object.assign(new EventTarget(), { ready: Promise.resolve({ pushManager }) });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: workers });
  return { manager, workers };
}
const choose = (choice: 'on' | 'off') => localStorage.setItem(`highstreet.browser-reminders.${ada.id}`, choice);

beforeEach(() => {
  localStorage.clear();
  fakeNotification('granted');
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

test('where its user chose so, the browser is added at the start', async () => {
  choose('on');
  const { manager } = fakeManager();
  const server = fakeServer();
  server.responds(getPush, push);
  server.responds(addPushSubscription, { ...push, endpoint: ENDPOINT });
  show(<KeepPush />, { as: ada });
  await waitFor(() => expect(server.last(addPushSubscription)).toBeDefined());
  const keys = { p256dh: 'public', auth: 'secret' };
  expect(server.last(addPushSubscription)?.body).toEqual({ endpoint: ENDPOINT, keys });
  expect(manager.key).toBe(KEY);
});

test('one that rings already is left alone, one of another installation is not', async () => {
  choose('on');
  const { manager } = fakeManager('AAAA');
  const server = fakeServer();
  server.responds(getPush, { ...push, endpoint: ENDPOINT });
  show(<KeepPush />, { as: ada });
  await waitFor(() => expect(manager.key).toBe(KEY));
  expect(server.last(addPushSubscription)).toBeUndefined();
});

test('the browser of who used it before does not ring for the next user', async () => {
  const { manager } = fakeManager(KEY);
  const server = fakeServer();
  server.responds(removePushSubscription, push);
  show(<KeepPush />, { as: ada });
  await waitFor(() => expect(server.last(removePushSubscription)).toBeDefined());
  expect(manager.key).toBeUndefined();
});

test('a press on a notification opens its lead, and nothing outside of Highstreet', async () => {
  const { workers } = fakeManager();
  fakeServer();
  show(<KeepPush />, { as: ada });
  const press = (open: string) => workers.dispatchEvent(new MessageEvent('message', { data: { open } }));
  press('/business/uuid/1');
  await waitFor(() => expect(location.pathname).toBe('/business/uuid/1'));
  press('//evil.example');
  expect(location.pathname).toBe('/business/uuid/1');
});

test('the settings say that it rings, and of what', async () => {
  choose('on');
  fakeManager(KEY);
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(getReminderSettings, { morningEmail: true, weeklyEmail: false, calendarCreatedAt: null });
  server.responds(getPush, { ...push, endpoint: ENDPOINT });
  const changed = { ...settings, kinds: PUSH_KINDS.filter((kind) => kind !== 'lead_comment') };
  server.responds(changePushSettings, { ...push, endpoint: ENDPOINT, settings: changed });
  const { toasts } = show(<ReminderSettings />, { as: ada });
  expect(await screen.findByText('This browser shows notifications, also while Highstreet is closed.')).toBeVisible();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'A lead has a new comment' }));
  await waitFor(() => expect(toasts).toEqual(['Notifications changed']));
  expect(server.last(changePushSettings)?.body).toEqual({ kinds: changed.kinds });
  expect(screen.getByRole('checkbox', { name: 'A lead has a new comment' })).not.toBeChecked();
  expect(screen.getByRole('switch', { name: 'Name the business' })).not.toBeChecked();
});
