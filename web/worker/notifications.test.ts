import { expect, test, vi } from 'vitest';
import { openNotification, showPush } from './notifications.ts';

const message = { title: 'Follow-up due', body: 'Call at 15:00', path: '/business/uuid/1', tag: 'highstreet-7' };

test.each([
  [JSON.stringify(message), message.title, { body: message.body, tag: message.tag, data: message.path }],
  ['', 'Highstreet', { body: 'There is something new', tag: 'highstreet', data: '/today' }],
  ['{"title": "Of another release"}', 'Highstreet', { body: 'There is something new', data: '/today' }],
])('%j is shown', async (text, title, options) => {
  const showNotification = vi.fn(async () => {});
  await showPush({ showNotification } as unknown as ServiceWorkerRegistration, text);
  expect(showNotification).toHaveBeenCalledExactlyOnceWith(title, expect.objectContaining(options));
});

function fakeClients(pages: { focus: () => void; postMessage: (message: unknown) => void }[]) {
  const openWindow = vi.fn(async () => null);
  return { clients: { matchAll: async () => pages, openWindow } as unknown as Clients, openWindow };
}

test('a press opens the page in a window that is there', async () => {
  const page = { focus: vi.fn(), postMessage: vi.fn() };
  const { clients, openWindow } = fakeClients([page]);
  await openNotification(clients, message.path);
  expect(page.focus).toHaveBeenCalledOnce();
  expect(page.postMessage).toHaveBeenCalledExactlyOnceWith({ open: message.path });
  expect(openWindow).not.toHaveBeenCalled();
});

test.each([
  [message.path, message.path],
  ['//evil.example', '/today'],
  [undefined, '/today'],
])('without one, %j opens %s in a new window', async (data, path) => {
  const { clients, openWindow } = fakeClients([]);
  await openNotification(clients, data);
  expect(openWindow).toHaveBeenCalledExactlyOnceWith(path);
});
