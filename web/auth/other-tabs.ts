const CHANNEL = 'highstreet.session';

interface Message {
  /** The user who is signed in now; null after a log-out. */
  userId: number | null;
}

/** Reports a sign-in or a log-out to the other tabs of this browser. */
export function announceSession(userId: number | null) {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ userId } satisfies Message);
  channel.close();
}

/** Calls the listener for the reports of other tabs. Returns a cleanup function. */
export function onSessionAnnounced(listener: (userId: number | null) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => listener(data.userId);
  return () => channel.close();
}
