import { type AccountState, accountState } from '#contract/users/account-state.ts';
import type { ManagedUser, Role } from '#contract/users/user.ts';

const PAGE_SIZE = 10;

export interface UserFilter {
  q: string;
  role: Role | 'all';
  status: AccountState | 'all';
}

export const NO_FILTER: UserFilter = { q: '', role: 'all', status: 'all' };

export function findUsers(users: ManagedUser[], filter: UserFilter, now: Date): ManagedUser[] {
  const needle = filter.q.trim().toLowerCase();
  return users.filter(
    (user) =>
      [user.username, user.email, user.fullName].some((text) => text.toLowerCase().includes(needle)) &&
      (filter.role === 'all' || filter.role === user.role) &&
      (filter.status === 'all' || filter.status === accountState(user, now)),
  );
}

export const countPages = (count: number) => Math.max(1, Math.ceil(count / PAGE_SIZE));

/** One page of a list, with the positions of its first and last item, from 1. */
export function slicePage<T>(items: T[], page: number) {
  const start = (page - 1) * PAGE_SIZE;
  const rows = items.slice(start, start + PAGE_SIZE);
  return { rows, from: start + 1, to: start + rows.length };
}
