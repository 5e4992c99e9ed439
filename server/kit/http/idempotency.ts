import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import type { Db } from '#server/kit/db/db.ts';
import { idempotencyKeys } from '#server/kit/db/schema.ts';

const WELL_FORMED = /^[A-Za-z0-9-]{8,64}$/;

/**
 * Does the work once for each Idempotency-Key of a user and route. The key is written in the work's own transaction,
 * so that of two at once the second waits, and a refusal leaves nothing behind. The same key with the same request
 * gets the first answer again; with another request it is a conflict.
 */
export async function once<T>(tx: Db, request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const key = request.headers['idempotency-key'];
  const { viewer } = request;
  if (key === undefined || !viewer) return work();
  if (typeof key !== 'string' || !WELL_FORMED.test(key)) {
    throw new Refusal('validation_failed', 'The Idempotency-Key must be 8 to 64 letters, digits or hyphens');
  }
  const named = { userId: viewer.id, route: `${request.method} ${request.routeOptions.url}`, key };
  const bodyHash = hashOf(request);
  const [first] = await tx
    .insert(idempotencyKeys)
    .values({ ...named, bodyHash, status: 0, answer: '' })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  const row = and(
    eq(idempotencyKeys.userId, named.userId),
    eq(idempotencyKeys.route, named.route),
    eq(idempotencyKeys.key, key),
  );
  if (!first) return replay<T>(tx, row, bodyHash);
  const answer = await work();
  await tx
    .update(idempotencyKeys)
    .set({ status: 200, answer: JSON.stringify(answer) })
    .where(row);
  return answer;
}

async function replay<T>(tx: Db, row: ReturnType<typeof and>, bodyHash: string): Promise<T> {
  const { answer, bodyHash: firstHash } = idempotencyKeys;
  const [earlier] = await tx.select({ answer, firstHash }).from(idempotencyKeys).where(row);
  if (earlier?.firstHash !== bodyHash) {
    throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used for another request');
  }
  return JSON.parse(earlier.answer) as T;
}

// The path's parameters belong to the request as much as its body does.
function hashOf({ params, body }: FastifyRequest): string {
  const bytes = Buffer.isBuffer(body) ? body : '';
  return createHash('sha256').update(JSON.stringify(params)).update('\n').update(bytes).digest('base64url');
}
