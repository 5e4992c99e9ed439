import { z } from 'zod';
import { startPasskey } from '#contract/account/passkeys.calls.ts';
import { useHasPassword } from '#web/auth/proofs.data.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useAddPasskey } from './passkeys.data.ts';

const newPasskey = z.object({ ...startPasskey.body.shape, name: z.string().trim().max(60) });

export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const hasPassword = useHasPassword();
  const add = useAddPasskey();
  const form = useForm(newPasskey, {
    defaults: { name: '', ...(hasPassword && { password: '' }) },
    onSubmit: (passkey) => add.mutateAsync(passkey).then(onClose),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add a passkey"
      description="Your browser then asks where to keep it: on this device, on your phone, or in your password manager."
    >
      <Form onSubmit={form.submit}>
        <TextField
          label="Name"
          hint="Such as “My phone”. Without one it is called like this browser."
          maxLength={60}
          {...form.field('name')}
        />
        {hasPassword && (
          <PasswordField label="Your password" autoComplete="current-password" {...form.field('password')} />
        )}
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            Continue
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
