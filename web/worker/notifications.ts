import { isLocalPath } from '#contract/local-path.ts';
import type { PushMessage } from '#contract/push/push-message.ts';
import type { OpenMessage } from '#contract/service-worker.ts';

/** Browsers demand that every push message is shown, and take a site's right to send them otherwise. */
const UNREADABLE: PushMessage = {
  title: 'Highstreet',
  body: 'There is something new',
  path: '/today',
  tag: 'highstreet',
};

export async function showPush(registration: ServiceWorkerRegistration, text: string): Promise<void> {
  const { title, body, path, tag } = readMessage(text);
  await registration.showNotification(title, { body, tag, icon: '/icons/icon-192.png', data: path });
}

function readMessage(text: string): PushMessage {
  try {
    // Only the server can have encrypted it, which may be of another release than this worker.
    const { title, body, path, tag } = JSON.parse(text) as Partial<PushMessage>;
    return title && body && tag ? { title, body, tag, path: path ?? '/today' } : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** In a page that is open, which keeps what is typed in it; else in a new one. */
export async function openNotification(clients: Clients, data: unknown): Promise<void> {
  const path = isLocalPath(data) ? data : '/today';
  const [page] = await clients.matchAll({ type: 'window' });
  if (!page) return void (await clients.openWindow(path));
  await page.focus();
  page.postMessage({ open: path } satisfies OpenMessage);
}
