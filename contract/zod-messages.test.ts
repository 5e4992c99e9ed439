import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { login } from './auth/auth.calls.ts';
import { forgotPassword } from './auth/password-reset.calls.ts';
import { bulkArchive, bulkReassign } from './leads/lead-lists.calls.ts';
import { assignBusiness, changeLeadStatus, reassignLead } from './leads/leads.calls.ts';
import { newUser } from './users/user.ts';
import { configureZodMessages } from './zod-messages.ts';

beforeAll(configureZodMessages);
afterAll(() => void z.config({ customError: undefined }));

const firstMessage = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues[0]?.message;

test.each([
  [login.body, { username: 'ada' }, 'password is required'],
  [login.body, { username: 'ada', password: 5 }, 'password is not valid'],
  [login.body, [], 'The request is not valid'],
  [changeLeadStatus.byId.body, { status: 'nonsense' }, 'status is not valid'],
])('%#: a field without a message of its own gets a default', (schema, input, message) => {
  expect(firstMessage(schema, input)).toBe(message);
});

test.each([
  [bulkArchive.body, {}, 'Please select at least one business to perform this action.'],
  [bulkArchive.body, { ids: [] }, 'Please select at least one business to perform this action.'],
  [bulkReassign.body, { ids: [], newUserId: 2 }, 'No businesses selected for reassignment'],
  [bulkReassign.body, { ids: [1] }, 'Please select a user to reassign to'],
  [reassignLead.byId.body, {}, 'Please select a user to reassign to'],
  [assignBusiness.body, { businessId: 1 }, 'Please select a user'],
  [forgotPassword.body, {}, 'Please enter a valid email address'],
])('%#: a missing choice gets the same message as on the screen', (schema, input, message) => {
  expect(firstMessage(schema, input)).toBe(message);
});

test('an empty user gets the message of every field', () => {
  expect(newUser.safeParse({}).error?.issues.map(({ message }) => message)).toEqual([
    'Username must be at least 3 characters',
    'Must be a valid email',
    'Full name must be at least 2 characters',
    'Password must be at least 8 characters',
  ]);
});

test('a schema with a message of its own keeps it', () => {
  expect(firstMessage(login.body, {})).toBe('Please enter your username or email address');
  const user = { username: 'ab', email: 'a@b.test', fullName: 'Ada', password: 'eight characters', monthlyGoal: 'x' };
  const messages = newUser.safeParse(user).error?.issues.map(({ message }) => message);
  expect(messages).toEqual(['Username must be at least 3 characters', 'Monthly goal must be a number']);
});
