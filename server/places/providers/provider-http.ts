import { createHash } from 'node:crypto';
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

interface ProviderHttpOptions {
  /** Its name in error messages. */
  provider: string;
  limits: ProviderLimits;
  userAgent: string;
  /** Runs before every attempt: counts it, or waits for the rate limit. */
  beforeRequest?: (signal: AbortSignal) => Promise<void>;
}

/** Keeps the responses to a search's calls, so that repeating the search makes none of these calls again. */
export interface CallRecorder {
  /** The kept response to this request. Without one, it throws if no further call may be made. */
  find(request: string): Promise<ProviderResponse | undefined>;
  /** Right before a call is made. */
  count(): Promise<void>;
  keep(request: string, response: ProviderResponse): Promise<void>;
}

/** What the calls of one search have in common. */
export interface CallContext {
  signal: AbortSignal;
  recorder?: CallRecorder | undefined;
}

export type ProviderHttp = (url: string, init: RequestInit, context: CallContext) => Promise<ProviderResponse>;

/** An HTTP client with time and size limits. Network errors and 5xx are retried once. */
export function createProviderHttp({ provider, limits, userAgent, beforeRequest }: ProviderHttpOptions): ProviderHttp {
  async function attempt(
    url: string,
    init: RequestInit,
    { signal, recorder }: CallContext,
  ): Promise<ProviderResponse | 'failed'> {
    // A call that cannot be made is not counted.
    if (signal.aborted) throw providerTimeout(provider);
    await beforeRequest?.(signal);
    await recorder?.count();
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

  async function attemptTwice(url: string, init: RequestInit, context: CallContext): Promise<ProviderResponse> {
    const first = await attempt(url, init, context);
    if (first !== 'failed') return first;
    await delay(limits.retryMs * (0.5 + Math.random()), context.signal, provider);
    const second = await attempt(url, init, context);
    if (second === 'failed') throw providerFailed(provider);
    return second;
  }

  return async (url, init, context) => {
    const { recorder } = context;
    if (!recorder) return attemptTwice(url, init, context);
    const request = hashRequest(url, init);
    const kept = await recorder.find(request);
    if (kept) return kept;
    const response = await attemptTwice(url, init, context);
    if (isSuccess(response)) await recorder.keep(request, response);
    return response;
  };
}

/** A hash, because the URL may contain the key. */
const hashRequest = (url: string, { body }: RequestInit) =>
  createHash('sha256')
    .update(`${url}\n${typeof body === 'string' ? body : ''}`)
    .digest('base64url');

/** Google's older services report errors with HTTP 200 and a status in the body. */
function isSuccess({ status, json }: ProviderResponse): boolean {
  if (status !== 200 || typeof json !== 'object' || json === null) return false;
  return !('status' in json) || json.status === 'OK' || json.status === 'ZERO_RESULTS';
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
