import { Refusal } from '#contract/errors.ts';
import { providerFailed, providerTimeout } from '#server/places/refusals.ts';

export interface ProviderLimits {
  callMs: number;
  searchMs: number;
  maxBytes: number;
  /** The average delay before the retry. */
  retryMs: number;
  /** Google's legacy service: the delay until a page token works, then the delays between retries. */
  tokenMs: number[];
}

export const DEFAULT_LIMITS: ProviderLimits = {
  callMs: 8_000,
  searchMs: 20_000,
  maxBytes: 5 * 1024 * 1024,
  retryMs: 300,
  tokenMs: [2_000, 1_000, 2_000, 3_000],
};

export interface ProviderResponse {
  status: number;
  /** Undefined when the body is not JSON. */
  json: unknown;
}

export interface ProviderHttpOptions {
  /** Its name in error messages. */
  provider: string;
  limits: ProviderLimits;
  userAgent: string;
  /** Runs before every attempt: counts it, or waits for the rate limit. */
  beforeRequest?: (signal: AbortSignal) => Promise<void>;
}

export type ProviderHttp = (url: string, init: RequestInit, signal: AbortSignal) => Promise<ProviderResponse>;

/** An HTTP client with time and size limits. Network errors and 5xx are retried once. */
export function createProviderHttp({ provider, limits, userAgent, beforeRequest }: ProviderHttpOptions): ProviderHttp {
  async function attempt(url: string, init: RequestInit, signal: AbortSignal): Promise<ProviderResponse | 'failed'> {
    await beforeRequest?.(signal);
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(limits.callMs)]);
    try {
      const headers = { accept: 'application/json', 'user-agent': userAgent, ...init.headers };
      const response = await fetch(url, { ...init, headers, redirect: 'manual', signal: timeout });
      if (response.status >= 500) {
        await response.body?.cancel();
        return 'failed';
      }
      if (response.status >= 300 && response.status < 400) throw providerFailed(provider);
      return { status: response.status, json: parseJson(await readText(response)) };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // The error is dropped: it may contain the URL, and with it the key.
      if (timeout.aborted) throw providerTimeout(provider);
      return 'failed';
    }
  }

  async function readText(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > limits.maxBytes) throw providerFailed(provider);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  return async (url, init, signal) => {
    const first = await attempt(url, init, signal);
    if (first !== 'failed') return first;
    await delay(limits.retryMs * (0.5 + Math.random()), signal, provider);
    const second = await attempt(url, init, signal);
    if (second === 'failed') throw providerFailed(provider);
    return second;
  };
}

/** Rejects when the search times out before the delay is over. */
export function delay(ms: number, signal: AbortSignal, provider: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(providerTimeout(provider));
    const stop = () => {
      clearTimeout(timer);
      reject(providerTimeout(provider));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
