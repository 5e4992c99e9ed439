import { useMutation } from '@tanstack/react-query';
import * as calls from '#contract/account/proof.calls.ts';
import type { Body } from '#contract/call.ts';
import { askForPasskey } from '#web/auth/passkeys.ts';
import { send } from '#web/kit/api.ts';

// No toasts: the dialog shows what is wrong.

export const useProve = () =>
  useMutation({
    mutationFn: (body: Body<typeof calls.prove>) => send(calls.prove, { body }),
    meta: { errorTitle: null },
  });

export const useProveByPasskey = () =>
  useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey(await send(calls.startPasskeyProof));
      await send(calls.prove, { body: { passkey } });
    },
    meta: { errorTitle: null },
  });
