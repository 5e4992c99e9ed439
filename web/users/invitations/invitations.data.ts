import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contract/account/invitations.calls.ts';
import type { Input } from '#contract/call.ts';
import { read, refetch, send } from '#web/kit/api.ts';

export const useInvitations = () => useQuery({ ...read(calls.listInvitations), refetchOnMount: 'always' });

export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof calls.createInvitation>['body']) => send(calls.createInvitation, { body }),
    onSettled: () => refetchAll(queries),
    meta: {
      success: ({ email }: calls.Invitation) => ({ title: 'Invitation sent', description: `To ${email}` }),
      errorTitle: 'Failed to send the invitation',
    },
  });
}

export function useSendInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(calls.sendInvitation, { params: { id } }),
    onSettled: () => refetchAll(queries),
    meta: {
      success: ({ email }: calls.Invitation) => ({ title: 'Invitation sent again', description: `To ${email}` }),
      errorTitle: 'Failed to send the invitation',
    },
  });
}

export function useWithdrawInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(calls.withdrawInvitation, { params: { id } }),
    onSettled: () => refetchAll(queries),
    meta: { success: 'Invitation withdrawn', errorTitle: 'Failed to withdraw the invitation' },
  });
}

const refetchAll = (queries: QueryClient) => refetch(queries, calls.listInvitations);
