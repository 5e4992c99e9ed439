import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { metricsAccess } from './metrics-access.ts';

const requestFrom = (from: string, headers: Record<string, string> = {}, host = 'localhost:3000') =>
  ({ headers, host, socket: { remoteAddress: from } }) as unknown as FastifyRequest;
const TOKEN = 'a-long-enough-token';
const localOnly = { token: undefined, local: true };

describe('without a token', () => {
  const mayRead = metricsAccess(localOnly);
  test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is this machine', (from) => {
    expect(mayRead(requestFrom(from))).toBe(true);
  });
  test.each(['10.0.0.5', '192.168.1.127', '::ffff:10.0.0.5', 'fe80::1', '1127.0.0.1', ''])(
    '%j is not this machine',
    (from) => {
      expect(mayRead(requestFrom(from))).toBe(false);
    },
  );
  test.each([
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'forwarded',
    'x-real-ip',
    'via',
    'cf-connecting-ip',
  ])('a request with the header %s was forwarded, so it is not from this machine', (header) => {
    expect(mayRead(requestFrom('127.0.0.1', { [header]: '127.0.0.1' }))).toBe(false);
  });
  test('a request for another host name (DNS rebinding) is refused', () => {
    expect(mayRead(requestFrom('127.0.0.1', {}, 'evil.example'))).toBe(false);
    expect(mayRead(requestFrom('127.0.0.1', {}, ''))).toBe(false);
  });
  test('no bearer token is accepted when none is configured', () => {
    expect(mayRead(requestFrom('10.0.0.5', { authorization: 'Bearer undefined' }))).toBe(false);
    expect(mayRead(requestFrom('10.0.0.5', { authorization: 'Bearer ' }))).toBe(false);
  });
  test('behind a proxy a loopback connection is refused', () => {
    expect(metricsAccess({ ...localOnly, local: false })(requestFrom('127.0.0.1'))).toBe(false);
  });
});

describe('with a token', () => {
  const mayRead = metricsAccess({ token: TOKEN, local: false });
  test('a request with the token is allowed, from any IP and for any host', () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '10.0.0.5' };
    expect(mayRead(requestFrom('10.0.0.5', headers, 'highstreet:3000'))).toBe(true);
  });
  test.each([
    undefined,
    '',
    TOKEN,
    `Bearer ${TOKEN} `,
    `bearer ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    'Bearer',
    `Basic ${TOKEN}`,
  ])('%j is refused, even from this machine', (authorization) => {
    expect(mayRead(requestFrom('127.0.0.1', authorization === undefined ? {} : { authorization }))).toBe(false);
  });
});
