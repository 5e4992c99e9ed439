import type { AnyCall, Input, ResponseBody } from '#contract/call.ts';
import type { EntryKind, OutboxEntry } from '#contract/outbox/entry.ts';
import { ConnectionError, newIdempotencyKey, send, UnreadableResponse } from '#web/kit/api.ts';
import { sendWithin } from './answer.ts';
import { keptResponse } from './kept.ts';
import { addEntry, discardEntry, entryStore, listEntries } from './outbox.ts';

interface Change {
  kind: EntryKind;
  /** What it does, for its user. */
  title: string;
  lead: OutboxEntry['lead'];
  /** What the user saw: sent along with what waits, so that the server refuses where another user was faster. */
  base?: object;
  idempotencyKey?: string;
}

/**
 * Sends a change. Where the server cannot be reached, it waits in the outbox, and what is returned is for `isKept`. It may
 * have arrived without its answer: the key makes it harmless to send it again.
 */
export async function sendOrKeep<C extends AnyCall>(
  call: C,
  input: Input<C>,
  { kind, title, lead, base, idempotencyKey = newIdempotencyKey() }: Change,
): Promise<ResponseBody<C>> {
  if (!entryStore()) return send(call, input, { idempotencyKey });
  const madeAt = new Date().toISOString();
  const keep = async () => {
    const entry = await addEntry({
      ...{ kind, title, lead, idempotencyKey, madeAt, method: call.method as OutboxEntry['method'], path: call.path },
      params: (input.params ?? {}) as OutboxEntry['params'],
      ...(input.body !== undefined && { body: { ...(input.body as object), ...base } }),
    });
    return keptResponse(() => void discardEntry(entry.id)) as ResponseBody<C>;
  };
  // What was done before with the same lead arrives before.
  const follows = lead && listEntries().some((entry) => entry.state === 'waiting' && entry.lead?.uuid === lead.uuid);
  if (follows) return keep();
  try {
    return (await sendWithin(call, input, { idempotencyKey })) as ResponseBody<C>;
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof UnreadableResponse) return keep();
    throw error;
  }
}
