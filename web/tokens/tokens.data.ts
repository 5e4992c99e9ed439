import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Body } from '#contract/call.ts';
import * as calls from '#contract/tokens/tokens.calls.ts';
import { read, refetch, send } from '#web/kit/api.ts';

export const useTokens = () => useQuery({ ...read(calls.listTokens), refetchOnMount: 'always' });

export const useTeamTokens = () => useQuery({ ...read(calls.listTeamTokens), refetchOnMount: 'always' });

/** Its response has the token: it is in no cache. */
export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof calls.createToken>) => send(calls.createToken, { body }),
    onSuccess: () => void refetch(queries, calls.listTokens, calls.listTeamTokens),
    gcTime: 0,
    meta: { errorTitle: 'Failed to make the token' },
  });
}

const ENDED = { success: 'Token ended', errorTitle: 'Failed to end the token' };

export function useEndToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (tokenId: string) => send(calls.endToken, { params: { tokenId } }),
    onSuccess: (tokens) => queries.setQueryData(read(calls.listTokens).queryKey, tokens),
    onError: () => void refetch(queries, calls.listTokens),
    meta: ENDED,
  });
}

export function useEndTeamToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (tokenId: string) => send(calls.endTeamToken, { params: { tokenId } }),
    onSuccess: (tokens) => queries.setQueryData(read(calls.listTeamTokens).queryKey, tokens),
    onError: () => void refetch(queries, calls.listTeamTokens),
    meta: ENDED,
  });
}
