import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const uint = (bytes: 2 | 4, value: number) => Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex');

/** A device with one passkey: it does what a browser and an authenticator do, with real keys. */
export function createAuthenticator(origin: string, { verifies = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }));
  const authData = (flags: number) =>
    Buffer.concat([
      sha256(new URL(origin).hostname),
      Buffer.from([flags | USER_PRESENT | (verifies ? USER_VERIFIED : 0)]),
      uint(4, counter),
    ]);
  const envelope = (response: Record<string, string>) => ({
    ...{ id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const },
    clientExtensionResults: {},
    response: response as { clientDataJSON: string },
  });

  return {
    id: id.toString('base64url'),
    make: ({ challenge }: { challenge: string }) => {
      // COSE of an EC2 key: ES256, P-256, x, y.
      const head = Buffer.from('a5010203262001215820', 'hex');
      const key = Buffer.concat([
        head,
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), uint(2, id.length), id, key]);
      const data = Buffer.concat([authData(WITH_CREDENTIAL), credential]);
      // CBOR of {fmt: "none", attStmt: {}, authData}.
      const text = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
      const attestation = Buffer.concat([text, Buffer.from([data.length]), data]);
      return envelope({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      });
    },
    /** `counted`: the device counts how often it was used. */
    use: ({ challenge }: { challenge: string }, { counted = true } = {}) => {
      if (counted) counter += 1;
      const client = clientData('webauthn.get', challenge);
      const data = authData(0);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return envelope({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}
