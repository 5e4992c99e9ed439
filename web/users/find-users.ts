import { type AccountState, accountState } from '#contract/users/account-state.ts';
import type { ManagedUser, Role } from '#contract/users/user.ts';

export const PAGE_SIZE = 10;

export interface UserFilter {
  search: string;
  role: Role | 'all';
  state: AccountState | 'all';
}

export const NO_FILTER: UserFilter = { search: '', role: 'all', state: 'all' };

export function findUsers(users: ManagedUser[], filter: UserFilter, now: Date): ManagedUser[] {
  const wanted = filter.search.trim().toLowerCase();
  return users.filter(
    (user) =>
      [user.username, user.email, user.fullName].some((text) => text.toLowerCase().includes(wanted)) &&
      (filter.role === 'all' || filter.role === user.role) &&
      (filter.state === 'all' || filter.state === accountState(user, now)),
  );
}

export const pagesOf = (count: number) => Math.max(1, Math.ceil(count / PAGE_SIZE));

/** What one page shows of a list, with the places of its first and last in it, counted from 1. */
export function pageOf<T>(all: T[], page: number) {
  const start = (page - 1) * PAGE_SIZE;
  const shown = all.slice(start, start + PAGE_SIZE);
  return { shown, from: start + 1, to: start + shown.length };
}
