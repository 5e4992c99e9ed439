import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AddressRefused, type AddressRules, createLookup, requireAllowed } from './addresses.ts';

export const TIMEOUT_MS = 20_000;
/** What is kept of the body of an answer. */
export const MAX_ANSWER_BYTES = 1_024;

export interface Answer {
  /** Null without one. */
  status: number | null;
  /** Why it does not count as delivered; null where it does. */
  error: string | null;
  /** The beginning of its body. */
  answer: string;
  retryAfter: string | undefined;
}

interface Options extends AddressRules {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  lookup?: LookupFunction;
}

/**
 * Posts a body and reads the beginning of the answer, all within one limit of time. Only 2xx is a success; redirects are
 * not followed. Each request has a connection of its own, to the IP that was checked for it.
 */
export async function post(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string | Buffer },
  { signal, timeoutMs = TIMEOUT_MS, lookup, ...rules }: Options,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const url = new URL(address);
    requireAllowed(url, rules);
    const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
      lookup: lookup ?? createLookup(rules),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      maxHeaderSize: 16_384,
    });
    return await new Promise((resolve, reject) => {
      // Once there is an answer, what the socket says no longer counts.
      let onError: (error: Error) => void = reject;
      request.on('error', (error) => onError(error));
      request.on('response', (response) => {
        const { statusCode: status = 0, headers } = response;
        const read: Buffer[] = [];
        let bytes = 0;
        // The status has decided already: what follows may be cut short, slow or endless.
        const end = () => {
          const answer = toText(Buffer.concat(read).subarray(0, MAX_ANSWER_BYTES));
          resolve({ status, error: describeStatus(status), answer, retryAfter: headers['retry-after'] });
          request.destroy();
        };
        onError = end;
        response.on('data', (chunk: Buffer) => {
          read.push(chunk);
          bytes += chunk.length;
          if (bytes >= MAX_ANSWER_BYTES) end();
        });
        response.on('end', end);
        response.on('error', end);
      });
      request.end(body);
    });
  } catch (error) {
    const late = timeout.aborted ? `No answer within ${timeoutMs / 1_000} seconds` : undefined;
    return { status: null, error: late ?? describeError(error), answer: '', retryAfter: undefined };
  }
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `${status}: redirects are not followed` : `Answered with ${status}`;
}

/** Without what a library wrote, except for its code: it may have the address of another machine. */
function describeError(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? `The connection failed: ${code}` : 'The connection failed';
}

/** PostgreSQL stores no NUL. */
const toText = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '');
