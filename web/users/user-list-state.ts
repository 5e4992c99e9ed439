import { z } from 'zod';
import { role } from '#contract/users/user.ts';
import { type ChangeOptions, useUrlCodec } from '#web/kit/url-state.ts';
import { NO_FILTER, type UserFilter } from './find-users.ts';

export interface UserListState extends UserFilter {
  page: number;
}

const DEFAULT_STATE: UserListState = { ...NO_FILTER, page: 1 };

/** The parameters of the URL; an invalid one falls back to its default. */
const params = z.object({
  q: z.string().max(200).catch(''),
  role: role.or(z.literal('all')).catch('all'),
  status: z.enum(['active', 'inactive', 'locked', 'all']).catch('all'),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
});

export function parseUserList(search: string): UserListState {
  const { q, status, ...rest } = params.parse(Object.fromEntries(new URLSearchParams(search)));
  return { ...rest, search: q, state: status };
}

const PARAM = { search: 'q', role: 'role', state: 'status', page: 'page' } as const;
const KEYS = ['search', 'role', 'state', 'page'] as const;

export function formatUserList(state: UserListState): string {
  const changed = KEYS.filter((key) => state[key] !== DEFAULT_STATE[key]);
  return new URLSearchParams(changed.map((key) => [PARAM[key], String(state[key])])).toString();
}

/** The filter and the page of the user table, in the URL. A changed filter opens the first page. */
export function useUserListState() {
  const [state, change] = useUrlCodec<UserListState>({
    defaults: DEFAULT_STATE,
    parse: parseUserList,
    format: formatUserList,
  });
  const changeList = (changed: Partial<UserListState>, options?: ChangeOptions) =>
    change((current) => ({ ...current, page: 1, ...changed }), options);
  return [state, changeList] as const;
}
