import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listUsersWithCodes, removeCodesOfUser } from '#contract/account/codes.calls.ts';
import { getUser } from '#contract/auth/auth.calls.ts';
import { disconnectSsoOfUser, listUsersWithSso } from '#contract/auth/sso.calls.ts';
import type { ChangedUser, ManagedUser, NewUser } from '#contract/users/user.ts';
import * as calls from '#contract/users/users.calls.ts';
import { read, refetch, request, send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';

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
export const useUsers = ({ enabled = true } = {}) => useQuery({ ...read(calls.listUsers), enabled });

/** The accounts, fetched again whenever the screen that manages them opens. */
export const useCurrentUsers = () =>
  useQuery({ ...read(calls.listUsers), ...refetchOnReturn, refetchOnMount: 'always' });

export function useCreateUser() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewUser) => send(calls.createUser, { body }),
    onSettled: () => refetchAll(queries),
    meta: { success: 'User Created', fallbackMessage: 'Failed to create user' },
  });
}

export function useChangeUser(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangedUser) => send(calls.changeUser, { params: toParams(id), body }),
    onSettled: () => {
      refetchAll(queries);
      // The header shows the viewer's own name.
      void refetch(queries, getUser);
    },
    meta: { success: 'User Updated', fallbackMessage: 'Failed to update user' },
  });
}

export function useSetUserPassword(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { newPassword: string }) => send(calls.setUserPassword, { params: toParams(id), body }),
    onSettled: () => refetchAll(queries),
    meta: { success: 'Password Reset', fallbackMessage: 'Failed to reset password' },
  });
}

export function useUnlockUser(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(calls.unlockUser, { params: toParams(id) }),
    onSettled: () => refetchAll(queries),
    meta: { success: 'Account Unlocked', fallbackMessage: 'Failed to unlock account' },
  });
}

export function useSetUserActive(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (active: boolean) => send(calls.setUserActive, { params: toParams(id), body: { active } }),
    onSettled: () => refetchAll(queries),
    meta: { success: toActiveToast, fallbackMessage: 'Failed to change account status' },
  });
}

export function useDeleteUser(id: number) {
  const queries = useQueryClient();
  return useMutation({
    // The content of a successful response does not matter.
    mutationFn: () => request(calls.deleteUser, { params: toParams(id) }),
    onSuccess: () => {
      const { queryKey } = read(calls.listUsers);
      queries.setQueryData(queryKey, (users) => users?.filter((user) => user.id !== id));
    },
    onSettled: () => refetchAll(queries),
    meta: { success: 'User Deleted', fallbackMessage: 'Failed to delete user' },
  });
}

/** The ids of the users who sign in with one-time codes. */
export const useUsersWithCodes = () => useQuery({ ...read(listUsersWithCodes), refetchOnMount: 'always' });

export function useRemoveCodesOfUser(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(removeCodesOfUser, { params: toParams(id) }),
    onSettled: () => void refetch(queries, listUsersWithCodes),
    meta: { success: 'One-time codes and passkeys removed', errorTitle: 'Failed to remove the codes and passkeys' },
  });
}

/** The ids of the users who are connected to single sign-on. */
export const useUsersWithSso = () => useQuery({ ...read(listUsersWithSso), refetchOnMount: 'always' });

export function useDisconnectSsoOfUser(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(disconnectSsoOfUser, { params: toParams(id) }),
    onSettled: () => void refetch(queries, listUsersWithSso),
    meta: { success: 'Disconnected from single sign-on', errorTitle: 'Failed to disconnect from single sign-on' },
  });
}

const toParams = (id: number) => ({ id: String(id) });

function toActiveToast({ active }: ManagedUser) {
  const verb = active ? 'activated' : 'deactivated';
  return { title: `Account ${verb}`, description: `User account has been ${verb} successfully.` };
}

/**
 * Refetches everything but the session: accounts appear in pickers and in the team's progress, and a deleted one takes
 * its leads along. After a failure, too, because the change may have been made before it.
 */
function refetchAll(queries: QueryClient) {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== getUser.path });
}
