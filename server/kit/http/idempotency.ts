import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BATCH_HEADER } from '#contract/changes/changes.calls.ts';
import { Refusal } from '#contract/errors.ts';
import type { Db } from '#server/kit/db/db.ts';
import { idempotencyKeys } from '#server/kit/db/kit-tables.ts';

/** The headers that are part of a response: a client that repeats a request can undo it, too. */
const REPLAYED_HEADERS = [BATCH_HEADER];
const WELL_FORMED = /^[A-Za-z0-9-]{8,64}$/;

/** A key is unique per user, program and route. */
export interface IdempotencyKey {
  userId: number;
  route: string;
  key: string;
}

export function readIdempotencyKey({
  headers,
  viewer,
  method,
  routeOptions,
}: FastifyRequest): IdempotencyKey | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || !viewer) return undefined;
  if (typeof key !== 'string' || !WELL_FORMED.test(key)) {
    throw new Refusal('validation_failed', 'The Idempotency-Key must be 8 to 64 letters, digits or hyphens');
  }
  // A program does not get what its user, or another program, has got.
  const program = viewer.program ? ` ${viewer.program.tokenId}` : '';
  return { userId: viewer.id, route: `${method} ${routeOptions.url}${program}`, key };
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Runs the work once per Idempotency-Key. The key is inserted in the work's own transaction, so that of two concurrent
 * requests the second waits, and a refusal stores nothing. The same key with the same request replays the first
 * response; with another request it is a conflict.
 */
export async function runOnce<T>(tx: Db, { request, reply }: Exchange, work: () => Promise<T>): Promise<T> {
  const key = readIdempotencyKey(request);
  if (!key) return work();
  const bodyHash = hashRequest(request);
  const [inserted] = await tx
    .insert(idempotencyKeys)
    .values({ ...key, bodyHash, status: 0, response: '' })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (!inserted) {
    const earlier = await findResponse(tx, key);
    if (!earlier) throw new Error('The stored response is gone');
    return replayResponse<T>(reply, earlier, bodyHash);
  }
  const response = await work();
  await tx
    .update(idempotencyKeys)
    .set({ status: 200, response: JSON.stringify(response), headers: readHeaders(reply) })
    .where(matchesKey(key));
  return response;
}

/** The stored response, for work that needs more than one transaction. */
export async function findResponse(db: Db, key: IdempotencyKey) {
  const { response, headers, bodyHash } = idempotencyKeys;
  const [earlier] = await db.select({ response, headers, bodyHash }).from(idempotencyKeys).where(matchesKey(key));
  return earlier;
}

interface StoredResponse {
  bodyHash: string;
  headers: Record<string, string>;
}

/** To be called in the last of the work's transactions. */
export async function saveResponse(tx: Db, key: IdempotencyKey, response: StoredResponse & { body: unknown }) {
  const { body, ...stored } = response;
  await tx
    .insert(idempotencyKeys)
    .values({ ...key, ...stored, status: 200, response: JSON.stringify(body) })
    .onConflictDoNothing();
}

export function replayResponse<T>(
  reply: FastifyReply,
  earlier: StoredResponse & { response: string },
  bodyHash: string,
): T {
  if (earlier.bodyHash !== bodyHash) {
    throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used for another request');
  }
  reply.headers(earlier.headers);
  return JSON.parse(earlier.response) as T;
}

const readHeaders = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    REPLAYED_HEADERS.filter((name) => reply.hasHeader(name)).map((name) => [name, String(reply.getHeader(name))]),
  );

const matchesKey = ({ userId, route, key }: IdempotencyKey) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.route, route), eq(idempotencyKeys.key, key));

// The path's parameters are part of what is compared.
function hashRequest({ params, body }: FastifyRequest): string {
  const bytes = Buffer.isBuffer(body) ? body : '';
  return createHash('sha256').update(JSON.stringify(params)).update('\n').update(bytes).digest('base64url');
}
