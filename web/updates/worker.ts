import { useSyncExternalStore } from 'react';
import { ASK_BUILD, type BuildMessage, SERVICE_WORKER_PATH } from '#contract/service-worker.ts';

/** So long after the page has loaded that its own requests are over. */
const START_MS = 3_000;
/** The browser looks for a new worker when a page is loaded; a page can stay open for days. */
const CHECK_EVERY_MS = 60 * 60_000;
const MIN_CHECK_MS = 15 * 60_000;

let started = false;
let updated = false;
const listeners = new Set<() => void>();

/** Whether this page is of an older build than the one that the device has now. */
export const useIsUpdated = () => useSyncExternalStore(subscribe, () => updated);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Keeps the app on the device, and up to date. Only once: the page may sign in and out. */
export function startWorker() {
  // Browsers have it on https and localhost only.
  if (started || !('serviceWorker' in navigator)) return;
  started = true;
  navigator.serviceWorker.addEventListener('controllerchange', () => void compareBuilds());
  if (document.readyState === 'complete') setTimeout(register, START_MS);
  else window.addEventListener('load', () => setTimeout(register, START_MS), { once: true });
}

async function register() {
  try {
    await navigator.serviceWorker.register(SERVICE_WORKER_PATH);
  } catch {
    return; // the app works without: storage may be full or forbidden
  }
  let checkedAt = Date.now();
  const check = async () => {
    checkedAt = Date.now();
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update().catch(() => {}); // without the network, the next time
  };
  setInterval(() => void check(), CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - checkedAt > MIN_CHECK_MS) void check();
  });
}

/** Another worker has taken over. The page itself may be of that build: it was loaded from the server meanwhile. */
async function compareBuilds() {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src;
  const { controller } = navigator.serviceWorker;
  if (!entry || !controller) return;
  const build = await askBuild(controller);
  updated = build.entry !== new URL(entry).pathname;
  for (const listener of listeners) listener();
}

function askBuild(worker: ServiceWorker) {
  return new Promise<BuildMessage>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<BuildMessage>) => resolve(data);
    worker.postMessage(ASK_BUILD, [port2]);
  });
}
