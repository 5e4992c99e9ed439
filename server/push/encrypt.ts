import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

export interface DeviceKeys {
  /** The device's public key and its shared secret, as base64url. */
  publicKey: string;
  auth: string;
}

const RECORD_SIZE = 4_096;
/** All is one record, and this is the last one. */
const LAST_RECORD = Buffer.of(2);

/** For one device (RFC 8291, RFC 8188): its push service cannot read it. Throws where the keys are none. */
export function encrypt(text: string, { publicKey, auth }: DeviceKeys): Buffer {
  const theirs = Buffer.from(publicKey, 'base64url');
  const ecdh = createECDH('prime256v1');
  const ours = ecdh.generateKeys();
  const salt = randomBytes(16);
  const context = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = derive(ecdh.computeSecret(theirs), Buffer.from(auth, 'base64url'), context, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const encrypted = Buffer.concat([cipher.update(Buffer.concat([Buffer.from(text), LAST_RECORD])), cipher.final()]);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_SIZE);
  header.writeUInt8(ours.length, 4);
  return Buffer.concat([salt, header, ours, encrypted, cipher.getAuthTag()]);
}

const derive = (secret: Buffer, salt: Buffer, info: string | Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
