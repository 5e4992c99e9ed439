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
  response: z.array(managedUser),
  programs: 'unfenced',
});

export const createUser = call({
  method: 'POST',
  path: '/api/users',
  access: 'admin',
  summary: 'Creates an account.',
  body: newUser,
  response: managedUser,
  success: 201,
});

export const changeUser = call({
  method: 'PUT',
  path: '/api/users/:id',
  access: 'admin',
  summary: 'Changes name, e-mail, role and goal of an account.',
  params,
  body: changedUser,
  response: managedUser,
});

export const setUserPassword = call({
  method: 'POST',
  path: '/api/users/:id/reset-password',
  access: 'admin',
  summary: 'Sets a new password for an account and ends its sessions.',
  params,
  body: z.object({ newPassword: password }),
  response: managedUser,
});

export const unlockUser = call({
  method: 'POST',
  path: '/api/users/:id/unlock',
  access: 'admin',
  summary: 'Unlocks an account that failed sign-ins have locked.',
  params,
  response: managedUser,
});

export const setUserActive = call({
  method: 'POST',
  path: '/api/users/:id/set-active-status',
  access: 'admin',
  summary: 'Activates or deactivates an account; deactivating ends its sessions.',
  params,
  body: z.object({ active: z.boolean() }),
  response: managedUser,
});

export const deleteUser = call({
  method: 'DELETE',
  path: '/api/users/:id',
  access: 'admin',
  summary: 'Deletes an account together with its leads.',
  params,
  needsProof: true,
  response: z.undefined(),
  success: 204,
});
