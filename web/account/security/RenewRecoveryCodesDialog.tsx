import { useState } from 'react';
import { renewRecoveryCodes } from '#contract/account/codes.calls.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useRenewRecoveryCodes } from './codes.data.ts';
import { PasswordAndCode, useEmptyProof } from './PasswordAndCode.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

export function RenewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const renew = useRenewRecoveryCodes();
  const form = useForm(renewRecoveryCodes.body, {
    defaults: useEmptyProof(),
    onSubmit: async (body) => setRecoveryCodes((await renew.mutateAsync(body)).recoveryCodes),
  });
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="New recovery codes" description="The former ones no longer work then.">
      <Form onSubmit={form.submit}>
        <PasswordAndCode form={form} hint="Of your authenticator app, or one of the recovery codes." />
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            Make new codes
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
