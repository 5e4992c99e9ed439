import { type Passkey, renamePasskey } from '#contract/account/passkeys.calls.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useRenamePasskey } from './passkeys.data.ts';

export function RenamePasskeyDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey();
  const form = useForm(renamePasskey.body, {
    defaults: { name },
    onSubmit: (body) => rename.mutateAsync({ id, ...body }).then(onClose),
  });
  return (
    <Dialog open onClose={onClose} title="Rename passkey">
      <Form onSubmit={form.submit}>
        <TextField label="Name" maxLength={60} {...form.field('name')} />
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            Save name
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
