import type { QueryClient } from '@tanstack/react-query';
import { onDeviceUnlocked } from '#web/kit/device/device.ts';
import { refreshPocket } from './pocket.ts';

const EVERY_MS = 5 * 60_000;
const MIN_PAUSE_MS = 60_000;
/** After a change of the viewer's, with those that follow it. */
const AFTER_CHANGE_MS = 5_000;

/**
 * Refreshes what the device keeps of leads: once it is unlocked, when the page is used again, after changes and every five
 * minutes. Returns a cleanup function.
 */
export function followPocket(queries: QueryClient, viewerId: number, onError: (error: unknown) => void): () => void {
  let refreshedAt = 0;
  let running: Promise<void> | undefined;
  let afterChange: ReturnType<typeof setTimeout> | undefined;

  const refresh = (minPauseMs = 0) => {
    if (running || document.visibilityState === 'hidden' || Date.now() - refreshedAt < minPauseMs) return;
    refreshedAt = Date.now();
    running = refreshPocket(queries, viewerId)
      // Without a connection, the next occasion comes.
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const onReturn = () => refresh(MIN_PAUSE_MS);
  const stopUnlocked = onDeviceUnlocked(onReturn);
  const stopChanges = queries.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    clearTimeout(afterChange);
    afterChange = setTimeout(() => refresh(), AFTER_CHANGE_MS);
  });
  const timer = setInterval(() => refresh(), EVERY_MS);
  const events = ['focus', 'online'] as const;
  for (const event of events) window.addEventListener(event, onReturn);
  return () => {
    stopUnlocked();
    stopChanges();
    clearInterval(timer);
    clearTimeout(afterChange);
    for (const event of events) window.removeEventListener(event, onReturn);
  };
}
