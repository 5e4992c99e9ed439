import { VERSION } from '#server/kit/version.ts';

export const USER_AGENT = `Highstreet-Webhooks/${VERSION}`;
export const MAX_BODY_BYTES = 20_000;

interface Event {
  messageId: string;
  type: string;
  at: string;
  data: Record<string, unknown>;
}

/** The same in each attempt, and when it is sent again: by it receivers know what they have had. */
export const toMessageId = ({ messageId }: Pick<Event, 'messageId'>) => `evt_${messageId}`;

/** The very text that is signed and sent. One that is too long says that its lists are left out. */
export function toBody({ type, at, data }: Omit<Event, 'messageId'>): string {
  const body = JSON.stringify({ type, timestamp: at, data });
  if (Buffer.byteLength(body) <= MAX_BODY_BYTES) return body;
  const short = Object.fromEntries(Object.entries(data).filter(([, value]) => !Array.isArray(value)));
  return JSON.stringify({ type, timestamp: at, data: { ...short, cut: true } });
}
