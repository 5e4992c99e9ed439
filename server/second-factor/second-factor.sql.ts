import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { CodesState } from '#contract/account/codes.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { oneTimeCodes, passkeys, recoveryCodes } from '#server/schema/users.ts';
import { findStep, normalizeRecoveryCode } from './one-time-codes.ts';
import type { SecretBox } from './secret-box.ts';

const { userId, secret, confirmedAt, lastStep } = oneTimeCodes;

export async function readCodes(db: Db, id: number): Promise<CodesState> {
  const [codes] = await db.select({ since: confirmedAt }).from(oneTimeCodes).where(eq(userId, id));
  return {
    since: codes?.since ?? null,
    recoveryCodesLeft: await db.$count(recoveryCodes, eq(recoveryCodes.userId, id)),
  };
}

/** Of users with one-time codes or passkeys. */
export async function listUsersWithFactors(db: Db): Promise<number[]> {
  const withCodes = db.select({ userId }).from(oneTimeCodes).where(isNotNull(confirmedAt));
  const rows = await withCodes.union(db.select({ userId: passkeys.userId }).from(passkeys));
  return rows.map((row) => row.userId);
}

/** Replaces a secret that was not confirmed; false where the user has codes already. */
export async function storeCodeSecret(tx: Db, id: number, encrypted: string): Promise<boolean> {
  const stored = await tx
    .insert(oneTimeCodes)
    .values({ userId: id, secret: encrypted })
    .onConflictDoUpdate({
      target: userId,
      set: { secret: encrypted, lastStep: 0 },
      setWhere: sql`${confirmedAt} is null`,
    })
    .returning({ userId });
  return stored.length > 0;
}

type CodeCheck = 'none' | 'missing' | 'wrong' | 'code' | 'recovery';

interface Checked {
  id: number;
  code: string | undefined;
  now: Date;
}

/**
 * Checks the second factor of a user, and uses it up: a code counts once, also for concurrent requests. 'none' where the
 * user has none.
 */
export async function checkCode(tx: Db, box: SecretBox, { id, code, now }: Checked): Promise<CodeCheck> {
  const [codes] = await tx
    .select({ secret })
    .from(oneTimeCodes)
    .where(and(eq(userId, id), isNotNull(confirmedAt)));
  if (!codes) return 'none';
  if (!code?.trim()) return 'missing';
  if (await consumeStep(tx, box, { id, code, now })) return 'code';
  const used = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, id), eq(recoveryCodes.code, box.digest(normalizeRecoveryCode(code), id))))
    .returning({ userId: recoveryCodes.userId });
  return used.length ? 'recovery' : 'wrong';
}

/** Whether it is a code of the user's secret, confirmed or not, that was not used before. */
export async function consumeStep(tx: Db, box: SecretBox, { id, code = '', now }: Checked): Promise<boolean> {
  const [codes] = await tx.select({ secret }).from(oneTimeCodes).where(eq(userId, id));
  const plain = codes && box.decrypt(codes.secret, id);
  const step = plain && findStep(plain, code, now);
  if (!step) return false;
  const used = await tx
    .update(oneTimeCodes)
    .set({ lastStep: step })
    .where(and(eq(userId, id), lt(lastStep, step)))
    .returning({ userId });
  return used.length > 0;
}

/** False where they are on already. */
export async function turnCodesOn(tx: Db, id: number): Promise<boolean> {
  const turned = await tx
    .update(oneTimeCodes)
    .set({ confirmedAt: sql`now()` })
    .where(and(eq(userId, id), sql`${confirmedAt} is null`))
    .returning({ userId });
  return turned.length > 0;
}

export async function replaceRecoveryCodes(tx: Db, box: SecretBox, id: number, codes: string[]): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, id));
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId: id, code: box.digest(normalizeRecoveryCode(code), id) })));
}

/** False where the user has none. */
export async function deleteCodes(tx: Db, id: number): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, id));
  const deleted = await tx.delete(oneTimeCodes).where(eq(userId, id)).returning({ since: confirmedAt });
  return deleted.some(({ since }) => since !== null);
}
