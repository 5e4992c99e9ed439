import { removeCodes } from '#contract/account/codes.calls.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useRemoveCodes } from './codes.data.ts';
import { PasswordAndCode, useEmptyProof } from './PasswordAndCode.tsx';

export function RemoveCodesDialog({ onClose }: { onClose: () => void }) {
  const remove = useRemoveCodes();
  const form = useForm(removeCodes.body, {
    defaults: useEmptyProof(),
    onSubmit: (body) => remove.mutateAsync(body).then(onClose),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Turn off one-time codes?"
      description="Signing in then needs your password only, and the recovery codes no longer work."
    >
      <Form onSubmit={form.submit}>
        <PasswordAndCode form={form} hint="Of your authenticator app, or one of the recovery codes." />
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" busy={form.busy}>
            Turn off
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
