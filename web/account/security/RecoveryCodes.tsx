import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '#web/kit/files/save-file.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';

/** The recovery codes, which are shown this once. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const [copied, setCopied] = useState<boolean>();
  const text = codes.join('\n');

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Without https there is no clipboard.
      setCopied(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Your recovery codes"
      description="Without your phone, each of these signs you in once, in place of a code of the app. They are shown this once: keep them where other people cannot read them, and not on the phone alone."
    >
      <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md bg-sunken p-4 text-center">
        {codes.map((code) => (
          <li key={code}>
            <code className="font-mono">{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button variant="secondary" onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          Copy
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveFile('highstreet-recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }))}
        >
          <Download aria-hidden="true" />
          Save as file
        </Button>
        <p role="status" className="text-sm text-muted">
          {copied && 'Copied.'}
          {copied === false && 'This browser does not allow copying. Select the codes, or save them as a file.'}
        </p>
      </div>
      <DialogActions>
        <Button onClick={onClose}>I have stored them</Button>
      </DialogActions>
    </Dialog>
  );
}
