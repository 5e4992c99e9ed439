import { z } from 'zod';
import { role } from '#contract/users/user.ts';
import { type ChangeOptions, useUrlState } from '#web/kit/navigation/url-state.ts';
import { NO_FILTER, type UserFilter } from './find-users.ts';

interface UserListState extends UserFilter {
  page: number;
}

export const FIRST_PAGE: UserListState = { ...NO_FILTER, page: 1 };

/** The parameters of the URL; an invalid one falls back to its default. */
export const userListParams = z.object({
  q: z.string().max(200).catch(''),
  role: role.or(z.literal('all')).catch('all'),
  status: z.enum(['active', 'inactive', 'locked', 'all']).catch('all'),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
});

/** The filter and the page of the user table, in the URL. A changed filter opens the first page. */
export function useUserListState() {
  const [state, change] = useUrlState<UserListState>(userListParams, FIRST_PAGE);
  const changeList = (changed: Partial<UserListState>, options?: ChangeOptions) =>
    change((current) => ({ ...current, page: 1, ...changed }), options);
  return [state, changeList] as const;
}
