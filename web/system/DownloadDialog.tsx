import { formatBytes } from '#contract/format.ts';
import { downloadBackup } from '#contract/system/system.calls.ts';
import type { SystemBackup } from '#contract/system/system.ts';
import { useHasPassword } from '#web/auth/proofs.data.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useDownloadBackup } from './system.data.ts';

/** Asks for the password again: the file holds all leads and accounts. Closing it aborts the download. */
export function DownloadDialog({ backup, onClose }: { backup: SystemBackup; onClose: () => void }) {
  const download = useDownloadBackup(backup.id);
  const hasPassword = useHasPassword();
  const form = useForm(downloadBackup.body, {
    defaults: hasPassword ? { password: '' } : {},
    onSubmit: (body) => download.mutateAsync(body).then(onClose),
  });
  const size = backup.bytes === null ? '' : ` (${formatBytes(backup.bytes)})`;
  return (
    <Dialog
      open
      title="Download backup"
      description={`The file${size} holds all leads and accounts. ${
        backup.encrypted ? 'It is encrypted with BACKUP_KEY.' : 'It is not encrypted: keep it in a safe place.'
      }`}
      onClose={onClose}
    >
      <Form onSubmit={form.submit}>
        {hasPassword && (
          <PasswordField label="Your password" autoComplete="current-password" {...form.field('password')} />
        )}
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            {form.busy ? 'Downloading…' : 'Download'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
