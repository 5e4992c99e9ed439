import { setTimeout as wait } from 'node:timers/promises';

/** Polls the condition; false when it is not met in time. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = 50,
): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; ; await wait(intervalMs)) {
    if (await condition()) return true;
    if (Date.now() > deadline) return false;
  }
}
