import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { login } from './auth/auth.calls.ts';
import { changeLeadStatus } from './leads/leads.calls.ts';
import { newUser } from './users/user.ts';
import { sayItPlainly } from './words.ts';

beforeAll(sayItPlainly);
afterAll(() => void z.config({ customError: undefined }));

const first = (schema: z.ZodType, given: unknown) => schema.safeParse(given).error?.issues[0]?.message;

test.each([
  [login.body, { username: 'ada' }, 'password is required'],
  [login.body, { username: 'ada', password: 5 }, 'password is not valid'],
  [login.body, [], 'The request is not valid'],
  [changeLeadStatus.byId.body, { status: 'nonsense' }, 'status is not valid'],
])('%#: a field without words of its own gets plain ones', (schema, given, message) => {
  expect(first(schema, given)).toBe(message);
});

test('a schema with words of its own keeps them', () => {
  expect(first(login.body, {})).toBe('Please enter your username or email address');
  const user = { username: 'ab', email: 'a@b.test', fullName: 'Ada', password: 'eight characters', monthlyGoal: 'x' };
  const messages = newUser.safeParse(user).error?.issues.map(({ message }) => message);
  expect(messages).toEqual(['Username must be at least 3 characters', 'Monthly goal must be a number']);
});
