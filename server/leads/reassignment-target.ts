import { Refusal } from '#contract/errors.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { findActiveUser } from './leads.sql.ts';

export const ALREADY_ASSIGNED = 'Business is already assigned to this user';

export const alreadyAssigned = () => new Refusal('already_assigned', ALREADY_ASSIGNED);

/** The future holder of a new lead. Locked so that they stay active until the transaction ends. */
export async function requireTarget(tx: Db, userId: number) {
  const target = await findActiveUser(tx, userId, 'share');
  if (!target) throw invalidTarget();
  return target;
}

/**
 * The future holder of existing leads. Until the transaction ends no other call gives this user a lead, so what the
 * target holds can be checked before writing. Lock the target before the leads, so that two calls wait for each other
 * instead of deadlocking.
 */
export async function lockTarget(tx: Db, userId: number) {
  const target = await findActiveUser(tx, userId, 'no key update');
  if (!target) throw invalidTarget();
  return target;
}

const invalidTarget = () => new Refusal('invalid_target', 'The chosen user does not exist or is inactive');

/** Turns a violation of "a business is a lead of one user only once" into a refusal. */
export async function refuseSecondLead<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = classifyFault(error);
    if (fault.kind === 'unique' && fault.constraint === 'user_businesses_one_per_user') throw alreadyAssigned();
    throw error;
  }
}
