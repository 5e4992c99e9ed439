import type { AnyCall } from '../call.ts';
import type { LostFence, Program, ProgramRights } from '../users/program.ts';

interface GuardedCall extends Pick<AnyCall, 'method' | 'access'>, Partial<Pick<AnyCall, 'programs'>> {
  /** Where the method does not say it. */
  rights?: ProgramRights;
}

/** The rights that a call needs, besides those of the user. */
export function rightsFor({ method, access, rights }: GuardedCall): ProgramRights {
  if (rights) return rights;
  if (access === 'admin') return 'admin';
  return method === 'GET' ? 'read' : 'write';
}

const RANK: Record<ProgramRights, number> = { read: 1, write: 2, admin: 3 };

const LOST_FENCE: Record<LostFence, string> = {
  view_gone: 'The saved view of this token no longer exists',
  field_gone: 'The saved view of this token filters by a field that is gone',
};

/** Why a program may not make a call; undefined where it may. */
export function findProgramObstacle(call: GuardedCall, { rights, ownLeads, fence }: Program): string | undefined {
  const { programs = 'none' } = call;
  if (programs === 'none') return 'This call is not for tokens';
  if (typeof fence === 'string') return LOST_FENCE[fence];
  if (RANK[rights] < RANK[rightsFor(call)]) {
    return rights === 'read' ? 'This token may only read' : 'This token may not make calls of administrators';
  }
  if (ownLeads && programs === 'unlimited') return 'This call is not for tokens that are limited to own leads';
  if (fence && programs !== 'all') return 'This call is not for tokens that are limited to a saved view';
  return undefined;
}
