import { vi } from 'vitest';

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

/** As the tests read it in what is sent: "a key" in base64url. */
export const PASSKEY_ID = 'YSBrZXk';

/**
 * A browser with passkeys, as far as jsdom has none: what it makes and uses is what Chromium would send, without a real
 * signature. The story of a passkey has a real one.
 */
export function fakePasskeys() {
  const credential = (response: object) => ({
    ...{ id: PASSKEY_ID, rawId: bytes('a key'), type: 'public-key', getClientExtensionResults: () => ({}) },
    response: { clientDataJSON: bytes('{}'), ...response },
  });
  const credentials = {
    create: vi.fn(async () => credential({ attestationObject: bytes('made') })),
    get: vi.fn(async () => credential({ authenticatorData: bytes('used'), signature: bytes('signed') })),
  };
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', Object.create(navigator, { credentials: { value: credentials } }));
  return {
    ...credentials,
    /** The user cancels, or the browser finds none: it does not say which. */
    cancelNext: (method: 'create' | 'get') =>
      credentials[method].mockRejectedValueOnce(new DOMException('The operation is not allowed', 'NotAllowedError')),
  };
}
