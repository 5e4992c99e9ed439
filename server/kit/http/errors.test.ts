import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { handleErrors } from './errors.ts';

test.each([
  { code: '57014', message: 'The database took too long. Please try again in a moment.' },
  { code: '57P01', message: 'The database cannot be reached. Please try again in a moment.' },
])('a database error $code becomes a 503 that says what happened', async ({ code, message }) => {
  const app = Fastify();
  handleErrors(app, () => {});
  app.get('/', () => Promise.reject(Object.assign(new Error('from the driver'), { code })));

  const response = await app.inject('/');

  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('5');
  expect(response.json()).toMatchObject({ code: 'database_unavailable', message });
});
