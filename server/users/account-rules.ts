import { Refusal } from '#contract/errors.ts';
import type { ManagedUser, Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { findUser, hasRole, lockAccounts } from './users.sql.ts';

export async function requireUser(db: Db, userId: number): Promise<ManagedUser> {
  const user = await findUser(db, userId);
  if (!user) throw new Refusal('not_found', 'This user no longer exists');
  return user;
}

/**
 * Locks what a change of this account depends on and reads it again. The viewer is authorised again too: another admin
 * may have demoted them between the guard's check and this lock.
 */
export async function lockForChange(tx: Db, viewer: Viewer, userId: number) {
  const locked = await lockAccounts(tx, userId);
  const admins = locked.filter(({ role, active }) => role === 'admin' && active);
  if (!admins.some(({ id }) => id === viewer.id)) throw new Refusal('forbidden', 'You are not allowed to do this');
  const user = await requireUser(tx, userId);
  const lastAdmin = admins.length === 1 && admins[0]?.id === userId;

  return {
    user,
    /** Refuses to demote, deactivate or delete the viewer's own account or the last active admin's. */
    requireRemovable: () => {
      if (viewer.id === userId) {
        throw new Refusal('cannot_change_self', 'You cannot delete, deactivate or change the role of your own account');
      }
      if (lastAdmin) throw new Refusal('last_admin', 'The last active administrator cannot be removed');
    },
  };
}

/** Refuses unless the viewer still has the role that the guard saw, and locks it until the transaction ends. */
export async function requireCurrentRole(tx: Db, viewer: Viewer) {
  if (!(await hasRole(tx, viewer))) throw new Refusal('forbidden', 'You are not allowed to do this');
}

/** Turns a unique violation on username or e-mail into a refusal that names the field. */
export async function refuseDuplicates<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = classifyFault(error);
    if (fault.kind !== 'unique') throw error;
    if (fault.constraint === 'users_username_key') throw duplicate('username', 'This username is already taken');
    if (fault.constraint === 'users_email_key') throw duplicate('email', 'This email is already in use');
    throw error;
  }
}

const duplicate = (field: 'username' | 'email', message: string) =>
  new Refusal(`duplicate_${field}`, message, { errors: [{ path: field, message }] });
