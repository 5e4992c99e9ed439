import { createPublicKey, verify } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newKey, signMessage } from './keys.ts';
import { MAX_ATTEMPTS, readRetryAfter, toDelay } from './schedule.ts';
import { MAX_BODY_BYTES, toBody } from './to-body.ts';

const seconds = Math.floor(Date.now() / 1_000);
const body = '{"type":"lead.changed","data":{"name":"Café ☕"}}';
const message = { id: 'evt_1', seconds, body };
const headers = (signature: string) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': signature,
});

test('standardwebhooks verifies signatures with HMAC, during a change of keys with either', () => {
  const [current, old, other] = [newKey('hmac'), newKey('hmac'), newKey('hmac')];
  expect(current.shown).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const signature = signMessage('hmac', [current.secret, old.secret], message);
  for (const { shown } of [current, old]) {
    expect(new Webhook(shown).verify(body, headers(signature))).toEqual(JSON.parse(body));
  }
  expect(() => new Webhook(other.shown).verify(body, headers(signature))).toThrow(WebhookVerificationError);
  expect(() => new Webhook(current.shown).verify(`${body} `, headers(signature))).toThrow(WebhookVerificationError);
});

test('a signature with Ed25519 is verified with the public key', () => {
  const [current, old] = [newKey('ed25519'), newKey('ed25519')];
  expect(current.shown).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  expect(current.publicKey).toBe(current.shown);
  const signatures = signMessage('ed25519', [current.secret, old.secret], message).split(' ');
  for (const [nth, { shown }] of [current, old].entries()) {
    const x = Buffer.from(shown.slice('whpk_'.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const [version, signature = ''] = (signatures[nth] ?? '').split(',');
    expect(version).toBe('v1a');
    const check = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
    expect(check(`evt_1.${seconds}.${body}`)).toBe(true);
    expect(check(`evt_2.${seconds}.${body}`)).toBe(false);
  }
});

test('attempts are made with the delays of the standard, and some jitter', () => {
  const delays = Array.from({ length: MAX_ATTEMPTS }, (_, nth) => toDelay(nth + 1, 0));
  expect(delays).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined]);
  expect(toDelay(1, 1)).toBe(6);
  expect(toDelay(50)).toBeUndefined();
});

test.each([
  [undefined, 0],
  ['120', 120],
  ['0', 0],
  ['-5', 0],
  ['soon', 0],
  ['999999999', 86_400],
  ['Fri, 20 Nov 2026 09:01:00 GMT', 60],
  ['Fri, 20 Nov 2026 08:00:00 GMT', 0],
])('retry-after %s is %i seconds', (header, seconds) => {
  expect(readRetryAfter(header, new Date('2026-11-20T09:00:00.000Z'))).toBe(seconds);
});

test('a body that is too long is sent without its lists', () => {
  const event = { type: 'lead.changed', at: '2026-11-20T09:00:00.000Z' };
  const data = { lead: { id: 7 }, fields: Array.from({ length: 3_000 }, (_, nth) => `ownFields.${nth}`) };
  expect(JSON.parse(toBody({ ...event, data: { ...data, fields: ['status'] } })).data.fields).toEqual(['status']);
  const short = toBody({ ...event, data });
  expect(Buffer.byteLength(short)).toBeLessThan(MAX_BODY_BYTES);
  expect(JSON.parse(short).data).toEqual({ lead: { id: 7 }, cut: true });
});
