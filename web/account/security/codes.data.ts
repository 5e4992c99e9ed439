import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contract/account/codes.calls.ts';
import { getProofs } from '#contract/account/proof.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { Body } from '#contract/call.ts';
import { read, refetch, send } from '#web/kit/api.ts';

export const useCodes = () => useQuery({ ...read(calls.getCodes), refetchOnMount: 'always' });

export function useReadOwnSettings() {
  const queries = useQueryClient();
  return () => void refetch(queries, getSettings);
}

/** A new secret for each opening of the dialog; it is in no cache. */
export const useSetUpCodes = () =>
  useMutation({ mutationFn: () => send(calls.setUpCodes), gcTime: 0, meta: { errorTitle: null } });

export function useConfirmCodes() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof calls.confirmCodes>) => send(calls.confirmCodes, { body }),
    // The settings are read once the recovery codes were seen: they may open the screens that waited for the codes.
    onSuccess: () => void refetch(queries, calls.getCodes, getProofs),
    gcTime: 0,
    meta: { success: 'One-time codes are on', errorTitle: 'Failed to turn on one-time codes' },
  });
}

export function useRenewRecoveryCodes() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof calls.renewRecoveryCodes>) => send(calls.renewRecoveryCodes, { body }),
    onSuccess: () => void refetch(queries, calls.getCodes, getProofs, getSettings),
    gcTime: 0,
    meta: { success: 'New recovery codes made', errorTitle: 'Failed to make new recovery codes' },
  });
}

export function useRemoveCodes() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof calls.removeCodes>) => send(calls.removeCodes, { body }),
    onSuccess: (codes) => {
      queries.setQueryData(read(calls.getCodes).queryKey, codes);
      void refetch(queries, getProofs, getSettings);
    },
    meta: { success: 'One-time codes are off', errorTitle: 'Failed to turn off one-time codes' },
  });
}
