import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import type { Db } from '#server/kit/db/db.ts';
import { idempotencyKeys } from '#server/kit/db/schema.ts';

const WELL_FORMED = /^[A-Za-z0-9-]{8,64}$/;

/** The action of a user that a key names. */
export interface KeyedAction {
  userId: number;
  route: string;
  key: string;
}

/** The action that the request's key names, if it has one. */
export function keyedAction({ headers, viewer, method, routeOptions }: FastifyRequest): KeyedAction | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || !viewer) return undefined;
  if (typeof key !== 'string' || !WELL_FORMED.test(key)) {
    throw new Refusal('validation_failed', 'The Idempotency-Key must be 8 to 64 letters, digits or hyphens');
  }
  return { userId: viewer.id, route: `${method} ${routeOptions.url}`, key };
}

/**
 * Does the work once for each Idempotency-Key of a user and route. The key is written in the work's own transaction,
 * so that of two at once the second waits, and a refusal leaves nothing behind. The same key with the same request
 * gets the first answer again; with another request it is a conflict.
 */
export async function once<T>(tx: Db, request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const action = keyedAction(request);
  if (!action) return work();
  const bodyHash = hashOf(request);
  const [first] = await tx
    .insert(idempotencyKeys)
    .values({ ...action, bodyHash, status: 0, response: '' })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (!first) {
    const earlier = await findResponse(tx, action);
    if (!earlier) throw new Error('The earlier answer is gone');
    return replayResponse<T>(earlier, bodyHash);
  }
  const response = await work();
  await tx
    .update(idempotencyKeys)
    .set({ status: 200, response: JSON.stringify(response) })
    .where(rowOf(action));
  return response;
}

/** For work of more than one transaction: what it answered when it was done before. */
export async function findResponse(db: Db, action: KeyedAction) {
  const { response, bodyHash } = idempotencyKeys;
  const [earlier] = await db.select({ response, bodyHash }).from(idempotencyKeys).where(rowOf(action));
  return earlier;
}

/** Written in the last of its transactions. */
export async function saveResponse(tx: Db, action: KeyedAction, bodyHash: string, response: unknown) {
  await tx
    .insert(idempotencyKeys)
    .values({ ...action, bodyHash, status: 200, response: JSON.stringify(response) })
    .onConflictDoNothing();
}

export function replayResponse<T>(earlier: { response: string; bodyHash: string }, bodyHash: string): T {
  if (earlier.bodyHash !== bodyHash) {
    throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used for another request');
  }
  return JSON.parse(earlier.response) as T;
}

const rowOf = ({ userId, route, key }: KeyedAction) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.route, route), eq(idempotencyKeys.key, key));

// The path's parameters belong to the request as much as its body does.
function hashOf({ params, body }: FastifyRequest): string {
  const bytes = Buffer.isBuffer(body) ? body : '';
  return createHash('sha256').update(JSON.stringify(params)).update('\n').update(bytes).digest('base64url');
}
