import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import type { PasskeyResponse } from '#contract/account/passkey-json.ts';
import { noteUsedPasskey } from './used-passkey.ts';

/** On first use: few pages need it. */
const load = () => import('@simplewebauthn/browser');

const IP_ADDRESS = /^([\d.]+|\[.*\])$/;

/** Whether this page may use passkeys: they need https or localhost, and a name instead of an IP address. */
export const canUsePasskeys = () =>
  'PublicKeyCredential' in window && window.isSecureContext && !IP_ADDRESS.test(window.location.hostname);

/** Asks the browser to make a passkey, which it does with an act of its user. */
export async function makePasskey(options: object): Promise<PasskeyResponse> {
  const { startRegistration } = await load();
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const made = toJson(await startRegistration({ optionsJSON }).catch(explain));
  noteUsedPasskey();
  return made;
}

/** Asks the browser to use a passkey; with `suggested`, once the user chooses one among the suggestions of a field. */
export async function askForPasskey(options: object, { suggested = false } = {}): Promise<PasskeyResponse> {
  const { startAuthentication } = await load();
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  const used = toJson(await startAuthentication({ optionsJSON, useBrowserAutofill: suggested }).catch(explain));
  noteUsedPasskey();
  return used;
}

export async function canSuggestPasskeys(): Promise<boolean> {
  if (!canUsePasskeys()) return false;
  return (await load()).browserSupportsWebAuthnAutofill();
}

/** Ends a suggestion of passkeys that was not taken. */
export async function cancelPasskeys(): Promise<void> {
  (await load()).WebAuthnAbortService.cancelCeremony();
}

const toJson = (response: RegistrationResponseJSON | AuthenticationResponseJSON) =>
  response as unknown as PasskeyResponse;

/** The browser gives the reason by the name of the error only. */
const REASONS: Record<string, string> = {
  NotAllowedError: 'No passkey was chosen. Try again, or use your password.',
  InvalidStateError: 'This device has a passkey of your account already.',
  SecurityError: 'Passkeys do not work at this address.',
};

/** Not with `instanceof`: password managers replace the browser's own classes. */
function explain(error: unknown): never {
  const name = typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
  // Replaced by another use, or cancelled by the page.
  if (name === 'AbortError') throw error;
  throw new Error(REASONS[name] ?? 'The passkey could not be used. Try again, or use your password.');
}
