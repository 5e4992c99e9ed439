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

/** Listens to what other tabs report. Returns how to stop. */
export function onSessionAnnounced(listener: (userId: number | null) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => listener(data.userId);
  return () => channel.close();
}
