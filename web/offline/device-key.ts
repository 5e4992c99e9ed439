import { onlineManager } from '@tanstack/react-query';
import { getDeviceKey } from '#contract/auth/device-key.calls.ts';
import { send } from '#web/kit/api.ts';
import { findKeyId, unlockDevice } from '#web/kit/device/device.ts';

const RENEWED_AFTER_MS = 3_600_000;

/**
 * Lets the viewer's device keep what it needs without a network: with a key of the server's, at the start and then once an
 * hour while the page is used. Each time the seven days begin again. Returns a cleanup function.
 */
export function followDeviceKey(
  viewerId: number,
  { onUnlocked, onError }: { onUnlocked: () => void; onError: (error: unknown) => void },
): () => void {
  let askedAt = 0;
  let stopped = false;

  const renew = async () => {
    if (document.visibilityState === 'hidden' || Date.now() - askedAt < RENEWED_AFTER_MS) return;
    askedAt = Date.now();
    try {
      const id = await findKeyId(viewerId);
      const key = await send(getDeviceKey, { body: id ? { id } : {} });
      if (stopped) return;
      await unlockDevice(viewerId, key);
      onUnlocked();
    } catch (error) {
      // Without a connection, what is kept stays readable until it expires. The end of a session is for the other calls.
      askedAt = 0;
      onError(error);
    }
  };

  void renew();
  // The server may be back without the browser having noticed anything.
  const stopOnline = onlineManager.subscribe((online) => void (online && renew()));
  const events = ['focus', 'online'] as const;
  for (const event of events) window.addEventListener(event, renew);
  document.addEventListener('visibilitychange', renew);
  return () => {
    stopped = true;
    stopOnline();
    for (const event of events) window.removeEventListener(event, renew);
    document.removeEventListener('visibilitychange', renew);
  };
}
