import { expect, test, vi } from 'vitest';
import { getUser } from '#contract/auth/auth.calls.ts';
import { forgotPassword, verifyResetToken } from '#contract/auth/password-reset.calls.ts';
import { deleteUser, listUsers } from '#contract/users/users.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada } from '#web/testing/fixtures.ts';
import {
  ApiError,
  abortAllRequests,
  ConnectionError,
  findHeader,
  newIdempotencyKey,
  request,
  send,
  withSessionAbort,
} from './api.ts';

const getError = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('the call succeeded'),
    (error) => error,
  );

test('a response body is returned', async () => {
  fakeServer().responds(getUser, ada);
  expect(await send(getUser)).toEqual(ada);
});

test('a header of a response is found by its body', async () => {
  const server = fakeServer();
  server.responds(getUser, ada, { 'x-change-batch': 'a1' });
  const first = await send(getUser);
  server.responds(getUser, ada);
  const second = await send(getUser);
  expect(findHeader(first, 'x-change-batch')).toBe('a1');
  expect(findHeader(second, 'x-change-batch')).toBeUndefined();
  expect(findHeader({}, 'x-change-batch')).toBeUndefined();
});

test('a 204 response is undefined', async () => {
  fakeServer().responds(deleteUser, undefined);
  expect(await send(deleteUser, { params: { id: '7' } })).toBeUndefined();
});

test('a refusal becomes an ApiError with status, message, code, field errors and retry-after', async () => {
  fakeServer().refuses(forgotPassword, 'validation_failed', 'Please enter a valid email address', {
    errors: [{ path: 'email', message: 'Please enter a valid email address' }],
    retryAfter: 30,
  });

  const error = await getError(send(forgotPassword, { body: { email: 'x' } }));

  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    message: '400: Please enter a valid email address',
    status: 400,
    code: 'validation_failed',
    hasMessage: true,
    errors: [{ path: 'email', message: 'Please enter a valid email address' }],
    retryAfter: 30,
  });
});

test.each([
  { text: 'Bad gateway, says the proxy', message: '502: Bad gateway, says the proxy' },
  { text: '"just a string"', message: '502: "just a string"' },
])('an error response that is not the product’s gives its text: $text', async ({ text, message }) => {
  fakeServer().breaks(getUser, 502, text);
  expect(await getError(send(getUser))).toMatchObject({ message, code: 'unexpected', hasMessage: false });
});

test('a failed connection becomes a ConnectionError', async () => {
  fakeServer().vanishes(getUser);
  expect(await getError(send(getUser))).toBeInstanceOf(ConnectionError);
});

test.each([200, 500])(
  'a connection that breaks while a response with status %i is read is a ConnectionError',
  async (status) => {
    const broken = () => new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) });
    fakeServer().handles(getUser, () => new Response(broken(), { status }));
    expect(await getError(send(getUser))).toBeInstanceOf(ConnectionError);
  },
);

test('parameters are URL-encoded and a body is JSON', async () => {
  const server = fakeServer();
  server.responds(verifyResetToken, { valid: true });
  server.responds(forgotPassword, { message: 'sent' });

  await send(verifyResetToken, { params: { token: 'a/b?c' } });
  await send(forgotPassword, { body: { email: 'ada@example.com' } });

  expect(server.requests[0]).toMatchObject({ path: '/api/auth/verify-reset-token/a%2Fb%3Fc', body: undefined });
  expect(server.requests[0]?.headers.has('content-type')).toBe(false);
  expect(server.requests[1]).toMatchObject({ method: 'POST', body: { email: 'ada@example.com' } });
  expect(server.requests[1]?.headers.get('content-type')).toBe('application/json');
});

test('an idempotency key is sent as a header, is unique and has the format the server accepts', async () => {
  const server = fakeServer();
  server.responds(listUsers, []);
  const key = newIdempotencyKey();

  await request(listUsers, {}, { idempotencyKey: key });

  expect(server.requests[0]?.headers.get('idempotency-key')).toBe(key);
  expect(key).toMatch(/^[A-Za-z0-9-]{8,64}$/);
  expect(newIdempotencyKey()).not.toBe(key);
});

test('a request is aborted by its own signal and with all others, also in browsers without AbortSignal.any', async () => {
  vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
    throw new TypeError('AbortSignal.any is not a function');
  });
  const server = fakeServer();
  server.holds(getUser);
  const cancelled = new AbortController();
  const one = getError(send(getUser, {}, { signal: cancelled.signal }));
  const other = getError(send(getUser, {}, { signal: new AbortController().signal }));
  cancelled.abort();
  expect(await one).toMatchObject({ name: 'AbortError' });
  abortAllRequests();
  expect(await other).toMatchObject({ name: 'AbortError' });
  expect(withSessionAbort(cancelled.signal).signal.aborted).toBe(true);
});

test('abortAllRequests aborts pending requests and not later ones', async () => {
  const server = fakeServer();
  server.holds(getUser);
  const aborted = getError(send(getUser));

  abortAllRequests();

  expect(await aborted).toMatchObject({ name: 'AbortError' });
  server.responds(getUser, ada);
  expect(await send(getUser)).toEqual(ada);
});
