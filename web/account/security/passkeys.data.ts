import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contract/account/passkeys.calls.ts';
import { getProofs } from '#contract/account/proof.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import { makePasskey } from '#web/auth/passkeys.ts';
import { read, refetch, send } from '#web/kit/api.ts';
import type { ToastMessages } from '#web/kit/queries.ts';

type Passkeys = ResponseBody<typeof calls.listPasskeys>;

export const usePasskeys = () => useQuery({ ...read(calls.listPasskeys), refetchOnMount: 'always' });

interface NewPasskey {
  name?: string | undefined;
  password?: string | undefined;
}

export const useAddPasskey = () =>
  usePasskeyMutation(
    async ({ name, password }: NewPasskey) => {
      const options = await send(calls.startPasskey, { body: { password } });
      return send(calls.addPasskey, { body: { name: name || undefined, passkey: await makePasskey(options) } });
    },
    { success: 'Passkey added', errorTitle: 'Failed to add the passkey' },
  );

export const useRenamePasskey = () =>
  usePasskeyMutation(
    ({ id, name }: { id: string; name: string }) => send(calls.renamePasskey, { params: { id }, body: { name } }),
    { success: 'Passkey renamed', errorTitle: 'Failed to rename the passkey' },
  );

export const useRemovePasskey = () =>
  usePasskeyMutation((id: string) => send(calls.removePasskey, { params: { id } }), {
    success: 'Passkey removed',
    errorTitle: 'Failed to remove the passkey',
  });

function usePasskeyMutation<V>(mutationFn: (variables: V) => Promise<Passkeys>, meta: ToastMessages) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (passkeys) => {
      queries.setQueryData(read(calls.listPasskeys).queryKey, passkeys);
      void refetch(queries, getProofs, getSettings);
    },
    onError: () => void refetch(queries, calls.listPasskeys),
    meta,
  });
}
