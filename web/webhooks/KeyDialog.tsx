import type { Webhook } from '#contract/webhooks/webhook.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { CopyField } from '#web/kit/ui/forms/CopyField.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { toHost } from './to-host.ts';

interface Props {
  webhook: Pick<Webhook, 'url' | 'signature'>;
  secretKey: string;
  onClose: () => void;
}

/** The key with which the receiver verifies: a secret is shown this once. */
export function KeyDialog({ webhook: { url, signature }, secretKey, onClose }: Props) {
  const isSecret = signature === 'hmac';
  return (
    <Dialog
      open
      onClose={onClose}
      title={`The key of the webhook to ${toHost(url)}`}
      description={
        isSecret
          ? 'Copy it now: it is not shown again. With it the receiver verifies that a request is from Highstreet.'
          : 'With it the receiver verifies that a request is from Highstreet. It is no secret.'
      }
    >
      <CopyField label={isSecret ? 'Secret' : 'Public key'} value={secretKey} />
      <p className="mt-4 text-sm text-muted">
        Requests are signed as Standard Webhooks says, in the headers <code className="font-mono">webhook-id</code>,{' '}
        <code className="font-mono">webhook-timestamp</code> and <code className="font-mono">webhook-signature</code>.
      </p>
      <DialogActions>
        <Button onClick={onClose}>I have stored it</Button>
      </DialogActions>
    </Dialog>
  );
}
