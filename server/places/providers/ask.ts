import { Refusal } from '#contract/errors.ts';
import { providerFailed, providerTooSlow } from '#server/places/refusals.ts';

export interface Limits {
  callMs: number;
  searchMs: number;
  mostBytes: number;
  /** About how long to wait before the one retry. */
  retryMs: number;
  /** How long Google's older service takes until a page token works; then the waits before asking again. */
  tokenMs: number[];
}

export const LIMITS: Limits = {
  callMs: 8_000,
  searchMs: 20_000,
  mostBytes: 5 * 1024 * 1024,
  retryMs: 300,
  tokenMs: [2_000, 1_000, 2_000, 3_000],
};

export interface Reply {
  status: number;
  /** Undefined when the answer is not JSON. */
  json: unknown;
}

export interface Asking {
  /** As people know it; it stands in messages. */
  provider: string;
  limits: Limits;
  userAgent: string;
  /** Before every attempt: counts it, or waits for its turn. */
  before?: (signal: AbortSignal) => Promise<void>;
}

export type Ask = (url: string, init: RequestInit, signal: AbortSignal) => Promise<Reply>;

/** Asks a service of the outside world, within the limits. Network errors and 5xx are tried once more. */
export function createAsk({ provider, limits, userAgent, before }: Asking): Ask {
  async function once(url: string, init: RequestInit, signal: AbortSignal): Promise<Reply | 'failed'> {
    await before?.(signal);
    const patience = AbortSignal.any([signal, AbortSignal.timeout(limits.callMs)]);
    try {
      const headers = { accept: 'application/json', 'user-agent': userAgent, ...init.headers };
      const response = await fetch(url, { ...init, headers, redirect: 'manual', signal: patience });
      if (response.status >= 500) {
        await response.body?.cancel();
        return 'failed';
      }
      if (response.status >= 300 && response.status < 400) throw providerFailed(provider);
      return { status: response.status, json: parsed(await textOf(response)) };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // The error is not passed on: it may name the address, and with it the key.
      if (patience.aborted) throw providerTooSlow(provider);
      return 'failed';
    }
  }

  async function textOf(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > limits.mostBytes) throw providerFailed(provider);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  return async (url, init, signal) => {
    const first = await once(url, init, signal);
    if (first !== 'failed') return first;
    await pause(limits.retryMs * (0.5 + Math.random()), signal, provider);
    const second = await once(url, init, signal);
    if (second === 'failed') throw providerFailed(provider);
    return second;
  };
}

/** Waits, but not longer than the search may take. */
export function pause(ms: number, signal: AbortSignal, provider: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(providerTooSlow(provider));
    const stop = () => {
      clearTimeout(timer);
      reject(providerTooSlow(provider));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
