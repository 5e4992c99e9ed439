import { KeyRound } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError, isAborted } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { cancelPasskeys, canSuggestPasskeys } from './passkeys.ts';
import { useSignInWithPasskey } from './session.data.ts';
import { hasUsedPasskey } from './used-passkey.ts';

/** Signs in with a passkey, which the browser also suggests in the field of the name. */
export function PasskeySignIn() {
  /** Most users have none: where none was used before, nothing is loaded or asked of the server until the button is pressed. */
  const isUsual = hasUsedPasskey();
  const pressed = useSignInWithPasskey();
  const suggested = useSignInWithPasskey({ suggested: true });
  const { mutate: suggest } = suggested;
  useEffect(() => {
    if (!isUsual) return;
    let closed = false;
    void canSuggestPasskeys().then((can) => can && !closed && suggest());
    return () => {
      closed = true;
      void cancelPasskeys();
    };
  }, [isUsual, suggest]);
  // That suggestions do not work here is no news to those who sign in with a password.
  const failure = pressed.error ?? (suggested.error instanceof ApiError ? suggested.error : null);
  return (
    <div className="flex flex-col gap-3">
      {failure && !isAborted(failure) && (
        <Notice tone="danger">{failure instanceof ApiError ? failure.reason : failure.message}</Notice>
      )}
      <Button variant={isUsual ? 'secondary' : 'ghost'} busy={pressed.isPending} onClick={() => pressed.mutate()}>
        {!pressed.isPending && <KeyRound aria-hidden="true" />}
        {isUsual ? 'Sign in with a passkey' : 'Use a passkey'}
      </Button>
    </div>
  );
}
