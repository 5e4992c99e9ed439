import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { metricsAccess } from './metrics-access.ts';

const asked = (from: string, headers: Record<string, string> = {}, host = 'localhost:3000') =>
  ({ headers, host, socket: { remoteAddress: from } }) as unknown as FastifyRequest;
const TOKEN = 'a-long-enough-token';
const alone = { token: undefined, local: true };

describe('without a token', () => {
  const mayRead = metricsAccess(alone);
  test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is this machine', (from) => {
    expect(mayRead(asked(from))).toBe(true);
  });
  test.each(['10.0.0.5', '192.168.1.127', '::ffff:10.0.0.5', 'fe80::1', '1127.0.0.1', ''])('%j is not', (from) => {
    expect(mayRead(asked(from))).toBe(false);
  });
  test.each([
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'forwarded',
    'x-real-ip',
    'via',
    'cf-connecting-ip',
  ])('whoever was passed on, as %s says, is not on this machine', (header) => {
    expect(mayRead(asked('127.0.0.1', { [header]: '127.0.0.1' }))).toBe(false);
  });
  test("a page of somebody else's that points its name here may not either", () => {
    expect(mayRead(asked('127.0.0.1', {}, 'evil.example'))).toBe(false);
    expect(mayRead(asked('127.0.0.1', {}, ''))).toBe(false);
  });
  test('a token that nobody set opens nothing', () => {
    expect(mayRead(asked('10.0.0.5', { authorization: 'Bearer undefined' }))).toBe(false);
    expect(mayRead(asked('10.0.0.5', { authorization: 'Bearer ' }))).toBe(false);
  });
  test('where a proxy is or may be, a connection from this machine proves nothing', () => {
    expect(metricsAccess({ ...alone, local: false })(asked('127.0.0.1'))).toBe(false);
  });
});

describe('with a token', () => {
  const mayRead = metricsAccess({ token: TOKEN, local: false });
  test('whoever sends it may, from anywhere and by any name', () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '10.0.0.5' };
    expect(mayRead(asked('10.0.0.5', headers, 'highstreet:3000'))).toBe(true);
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
  ])('%j may not, not even from this machine', (authorization) => {
    expect(mayRead(asked('127.0.0.1', authorization === undefined ? {} : { authorization }))).toBe(false);
  });
});
