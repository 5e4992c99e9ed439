import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getUser } from '#contract/auth/auth.calls.ts';
import type { ChangedUser, ManagedUser, NewUser } from '#contract/users/user.ts';
import * as calls from '#contract/users/users.calls.ts';
import { read, refetch, request, send } from '#web/kit/api.ts';

/** The texts of an `OptionPicker` of users. */
export const USER_PICKER = {
  loadingLabel: 'Loading users…',
  errorTitle: 'Users could not be loaded',
  placeholder: 'Select a user',
};

/** "Olivia Hart (olivia)" */
export const toUserOption = ({ id, fullName, username }: Pick<ManagedUser, 'id' | 'fullName' | 'username'>) => ({
  value: String(id),
  label: fullName ? `${fullName} (${username})` : username,
});

/** The accounts as last read, for pickers. */
export const useUsers = () => useQuery(read(calls.listUsers));

/** The accounts as they are: read again by every visit of the screen that manages them. */
export const useCurrentUsers = () => useQuery({ ...read(calls.listUsers), refetchOnMount: 'always' });

export function useCreateUser() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewUser) => send(calls.createUser, { body }),
    onSettled: () => refresh(queries),
    meta: { success: 'User Created', fallbackMessage: 'Failed to create user' },
  });
}

export function useChangeUser(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangedUser) => send(calls.changeUser, { params: paramsOf(id), body }),
    onSettled: () => {
      refresh(queries);
      // It may be one's own name that the header shows.
      void refetch(queries, getUser);
    },
    meta: { success: 'User Updated', fallbackMessage: 'Failed to update user' },
  });
}

export function useSetUserPassword(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { newPassword: string }) => send(calls.setUserPassword, { params: paramsOf(id), body }),
    onSettled: () => refresh(queries),
    meta: { success: 'Password Reset', fallbackMessage: 'Failed to reset password' },
  });
}

export function useUnlockUser(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(calls.unlockUser, { params: paramsOf(id) }),
    onSettled: () => refresh(queries),
    meta: { success: 'Account Unlocked', fallbackMessage: 'Failed to unlock account' },
  });
}

export function useSetUserActive(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (active: boolean) => send(calls.setUserActive, { params: paramsOf(id), body: { active } }),
    onSettled: () => refresh(queries),
    meta: { success: sayActive, fallbackMessage: 'Failed to change account status' },
  });
}

export function useDeleteUser(id: number) {
  const queries = useQueryClient();
  return useMutation({
    // What a good answer holds does not matter, so it is not read.
    mutationFn: () => request(calls.deleteUser, { params: paramsOf(id) }),
    onSuccess: () => {
      const { queryKey } = read(calls.listUsers);
      queries.setQueryData(queryKey, (users) => users?.filter((user) => user.id !== id));
    },
    onSettled: () => refresh(queries),
    meta: { success: 'User Deleted', fallbackMessage: 'Failed to delete user' },
  });
}

const paramsOf = (id: number) => ({ id: String(id) });

function sayActive({ active }: ManagedUser) {
  const done = active ? 'activated' : 'deactivated';
  return { title: `Account ${done}`, description: `User account has been ${done} successfully.` };
}

/**
 * Accounts appear in pickers, in the team's progress and, deleted, take their leads with them: all that was read may
 * be out of date, and after a failure too, which may have come after the change. Nobody waits for it.
 */
function refresh(queries: QueryClient) {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== getUser.path });
}
