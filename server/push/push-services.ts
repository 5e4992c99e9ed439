import { type AddressRules, requireAllowed } from '#server/kit/outgoing/addresses.ts';

/** Those of Chrome and Edge, Firefox, Windows and Apple, with all hosts below them. */
const KNOWN = ['fcm.googleapis.com', 'push.services.mozilla.com', 'notify.windows.com', 'push.apple.com'];

export interface PushServices extends AddressRules {
  /** Hosts that the operator adds. */
  pushServices: string[];
}

/** Browsers say to which address the server is to post: only to services that browsers are known to use. */
export function isPushService(endpoint: string, { pushServices, ...rules }: PushServices): boolean {
  const url = new URL(endpoint);
  try {
    requireAllowed(url, rules);
  } catch {
    return false;
  }
  return [...KNOWN, ...pushServices].some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
}
