import { z } from 'zod';
import { call } from '../call.ts';
import { pathId } from '../fields.ts';
import { changedUser, managedUser, newUser, password } from './user.ts';

const params = z.object({ id: pathId });

export const listUsers = call({
  method: 'GET',
  path: '/api/users',
  access: 'admin',
  summary: 'Every account, with its lock and its goal.',
  answer: z.array(managedUser),
});

export const createUser = call({
  method: 'POST',
  path: '/api/users',
  access: 'admin',
  summary: 'Issues an account.',
  body: newUser,
  answer: managedUser,
  success: 201,
});

export const changeUser = call({
  method: 'PUT',
  path: '/api/users/:id',
  access: 'admin',
  summary: 'Changes name, e-mail, role and goal of an account.',
  params,
  body: changedUser,
  answer: managedUser,
});

export const setUserPassword = call({
  method: 'POST',
  path: '/api/users/:id/reset-password',
  access: 'admin',
  summary: 'Sets a new password for an account and ends its sessions.',
  params,
  body: z.object({ newPassword: password }),
  answer: managedUser,
});

export const unlockUser = call({
  method: 'POST',
  path: '/api/users/:id/unlock',
  access: 'admin',
  summary: 'Lifts the lock that failed sign-ins have put on an account.',
  params,
  answer: managedUser,
});

export const setUserActive = call({
  method: 'POST',
  path: '/api/users/:id/set-active-status',
  access: 'admin',
  summary: 'Activates or deactivates an account; deactivating ends its sessions.',
  params,
  body: z.object({ active: z.boolean() }),
  answer: managedUser,
});

export const deleteUser = call({
  method: 'DELETE',
  path: '/api/users/:id',
  access: 'admin',
  summary: 'Deletes an account together with its leads.',
  params,
  answer: z.undefined(),
  success: 204,
});
