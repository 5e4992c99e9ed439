/** Why this browser cannot ring while Highstreet is closed. */
export type PushAbility = 'able' | 'insecure' | 'unsupported';

/** The worker starts some seconds after the page. */
const READY_MS = 30_000;

export function readPushAbility(): PushAbility {
  if (!window.isSecureContext) return 'insecure';
  return 'serviceWorker' in navigator && 'PushManager' in window ? 'able' : 'unsupported';
}

/** The part of the browser that rings; undefined while there is none, as before the first page was loaded in full. */
async function findManager(): Promise<PushManager | undefined> {
  if (readPushAbility() !== 'able') return undefined;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, READY_MS, undefined));
  return (await Promise.race([navigator.serviceWorker.ready, late]))?.pushManager;
}

/** The browser's subscription for this key. One for another key, of an installation before, would never ring. */
export async function subscribeDevice(publicKey: string): Promise<PushSubscription> {
  const manager = await findManager();
  if (!manager) throw new Error('This browser is not ready yet. Reload the page, and try again.');
  const existing = await manager.getSubscription();
  if (existing && hasKey(existing, publicKey)) return existing;
  await existing?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

export async function findDeviceSubscription(): Promise<PushSubscription | undefined> {
  return (await (await findManager())?.getSubscription()) ?? undefined;
}

function hasKey({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey;
  if (!key) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey;
}

/** As the server takes it. */
export function toBody(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}
