import type { AnyCall } from '#contract/call.ts';
import type { OutboxEntry } from '#contract/outbox/entry.ts';
import type { Answer } from '#contract/outbox/send-entries.ts';
import { ApiError, ConnectionError, send } from '#web/kit/api.ts';

/** A connection that is almost none may never fail by itself. */
const TIMEOUT_MS = 20_000;

/** Like `send`, but gives up after a while, as if there were no connection. */
export async function sendWithin(...[call, input, options]: Parameters<typeof send>): Promise<unknown> {
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, TIMEOUT_MS);
  try {
    return await send(call, input, { ...options, signal: controller.signal });
  } catch (error) {
    throw timedOut ? new ConnectionError() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** What the server says to an entry. The end of the session is thrown, too, for the one place that handles it. */
export async function sendEntry(
  { method, path, params, body, idempotencyKey, madeAt }: OutboxEntry,
  onError: (error: Error) => void,
): Promise<Answer> {
  try {
    // Only what `send` reads: a call of an older version may have another schema.
    const call = { method, path } as AnyCall;
    const response = await sendWithin(call, { params, body }, { idempotencyKey, madeAt });
    return { status: 200, body: response };
  } catch (error) {
    if (!(error instanceof ApiError)) return 'none';
    onError(error);
    const { status, code, reason: message, retryAfter, body: refusal } = error;
    return { status, code, message, body: refusal, ...(retryAfter !== undefined && { retryAfter }) };
  }
}
