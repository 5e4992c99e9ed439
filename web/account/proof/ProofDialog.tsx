import { useState } from 'react';
import { z } from 'zod';
import { startSso } from '#contract/auth/sso.calls.ts';
import { buildPath } from '#contract/call.ts';
import { canUsePasskeys } from '#web/auth/passkeys.ts';
import { useProofs } from '#web/auth/proofs.data.ts';
import { ApiError, isAborted } from '#web/kit/api.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button, ServerButtonLink } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError, Notice } from '#web/kit/ui/Notice.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useProve, useProveByPasskey } from './proof.data.ts';

interface Props {
  onClose: () => void;
  onProven: () => void;
}

/** Before what an open session alone must not do. */
export function ProofDialog({ onClose, onProven }: Props) {
  const proofs = useProofs();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Confirm that it is you"
      description="You signed in a while ago. What you are about to do needs a fresh proof, which counts for 15 minutes."
    >
      {proofs.isPending && <Loading label="Loading…" />}
      {proofs.isError && !proofs.data && (
        <LoadError onRetry={() => void proofs.refetch()}>The ways to confirm it could not be loaded.</LoadError>
      )}
      {proofs.data && <Ways {...proofs.data} onClose={onClose} onProven={onProven} />}
    </Dialog>
  );
}

type Way = 'password' | 'code';

const passwordForm = z.object({ password: z.string().min(1, 'Please enter your password') });
const codeForm = z.object({ code: z.string().trim().min(1, 'Please enter the code') });

interface WaysProps extends Props {
  password: boolean;
  code: boolean;
  passkey: boolean;
  sso: string | null;
}

function Ways({ password, code, passkey, sso, onClose, onProven }: WaysProps) {
  const [way, setWay] = useState<Way | undefined>(password ? 'password' : code ? 'code' : undefined);
  const byPasskey = useProveByPasskey();
  const other: Way | undefined = password && code ? (way === 'password' ? 'code' : 'password') : undefined;
  const failed = byPasskey.error && !isAborted(byPasskey.error) && byPasskey.error;
  return (
    <div className="flex flex-col gap-4">
      {failed && <Notice tone="danger">{failed instanceof ApiError ? failed.reason : failed.message}</Notice>}
      {passkey && canUsePasskeys() && (
        <Button
          variant={way ? 'secondary' : 'primary'}
          busy={byPasskey.isPending}
          onClick={() => byPasskey.mutate(undefined, { onSuccess: onProven })}
        >
          Use a passkey
        </Button>
      )}
      {sso && (
        <>
          <ServerButtonLink
            href={buildPath(startSso, { query: { to: currentPath(), again: 'true' } })}
            variant={way ? 'secondary' : 'primary'}
          >
            Continue with {sso}
          </ServerButtonLink>
          <p className="text-sm text-muted">You come back to this page, and then repeat what you were about to do.</p>
        </>
      )}
      {!way && (
        <>
          {passkey && !canUsePasskeys() && (
            <p className="text-sm text-muted">Your passkeys do not work at this address. Sign in where they do.</p>
          )}
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </>
      )}
      {way && <TypedProof key={way} way={way} onClose={onClose} onProven={onProven} />}
      {other && (
        <Button variant="ghost" onClick={() => setWay(other)}>
          {other === 'code' ? 'Use a one-time code instead' : 'Use the password instead'}
        </Button>
      )}
    </div>
  );
}

const currentPath = () => window.location.pathname + window.location.search;

function TypedProof({ way, onClose, onProven }: Props & { way: Way }) {
  const prove = useProve();
  const form = useForm<Record<string, string>, { password: string } | { code: string }>(
    way === 'password' ? passwordForm : codeForm,
    { defaults: { [way]: '' }, onSubmit: (body) => prove.mutateAsync(body).then(onProven) },
  );
  const elsewhere = prove.error && !(prove.error instanceof ApiError && prove.error.errors.length) && prove.error;
  return (
    <Form onSubmit={form.submit}>
      {elsewhere && (
        <Notice tone="danger">{elsewhere instanceof ApiError ? elsewhere.reason : elsewhere.message}</Notice>
      )}
      {way === 'password' ? (
        <PasswordField label="Your password" autoComplete="current-password" autoFocus {...form.field('password')} />
      ) : (
        <TextField
          label="Code"
          hint="Of your authenticator app, or one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={50}
          autoFocus
          {...form.field('code')}
        />
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={form.busy}>
          Confirm
        </Button>
      </DialogActions>
    </Form>
  );
}
