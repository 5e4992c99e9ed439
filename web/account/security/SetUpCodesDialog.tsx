import { useEffect, useState } from 'react';
import { confirmCodes, type setUpCodes } from '#contract/account/codes.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useConfirmCodes, useReadOwnSettings, useSetUpCodes } from './codes.data.ts';
import { PasswordAndCode, useEmptyProof } from './PasswordAndCode.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type NewSecret = ResponseBody<typeof setUpCodes>;

/** Two steps: the app reads the secret and its first code is entered; then the recovery codes are shown, once. */
export function SetUpCodesDialog({ onClose }: { onClose: () => void }) {
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const setUp = useSetUpCodes();
  const { mutate } = setUp;
  useEffect(() => mutate(), [mutate]);
  const readSettings = useReadOwnSettings();
  const finish = () => {
    onClose();
    readSettings();
  };
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onClose={finish} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Set up one-time codes"
      description="Scan the picture with an authenticator app, or type the key into it. Then enter the code that the app shows."
    >
      {setUp.isError && <LoadError onRetry={() => mutate()}>The key could not be made.</LoadError>}
      {setUp.isPending && <Loading label="Making a key…" />}
      {setUp.data && <FirstCode secret={setUp.data} onClose={onClose} onConfirmed={setRecoveryCodes} />}
    </Dialog>
  );
}

interface FirstCodeProps {
  secret: NewSecret;
  onClose: () => void;
  onConfirmed: (recoveryCodes: string[]) => void;
}

function FirstCode({ secret: { key, qr }, onClose, onConfirmed }: FirstCodeProps) {
  const confirm = useConfirmCodes();
  const form = useForm(confirmCodes.body, {
    defaults: useEmptyProof(),
    onSubmit: async (body) => onConfirmed((await confirm.mutateAsync(body)).recoveryCodes),
  });
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col items-center gap-3">
        {/* Black on white in the dark theme too: cameras expect it. */}
        <svg
          role="img"
          aria-label="QR code of the key"
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          shapeRendering="crispEdges"
          className="size-52 rounded-md"
        >
          <rect width={qr.size} height={qr.size} fill="white" />
          <path d={qr.path} fill="black" />
        </svg>
        <p className="text-center text-sm text-balance">
          <span className="block text-muted">Key</span>
          <code className="font-mono font-semibold text-balance">{key}</code>
        </p>
      </div>
      <Form onSubmit={form.submit}>
        <PasswordAndCode form={form} hint="The six digits that the app shows now." />
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            Turn on
          </Button>
        </DialogActions>
      </Form>
    </div>
  );
}
