import { expect, test } from 'vitest';
import { readEnv } from '#server/kit/env.ts';
import { chooseRole } from './choose-role.ts';

const toEnv = (variables: Record<string, string>) =>
  readEnv({ OIDC_ISSUER: 'https://id.example.test', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y', ...variables }).sso;
const MAPPED = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'crm-admins=admin, cn=leads,ou=crm=manager' };

test.each([
  ['no claim is named', {}, { groups: ['admin'] }, undefined],
  ['a value names its role', { OIDC_ROLE_CLAIM: 'groups' }, { groups: 'manager' }, 'manager'],
  ['the highest counts', { OIDC_ROLE_CLAIM: 'groups' }, { groups: ['user', 'admin', 'manager'] }, 'admin'],
  ['values are mapped', MAPPED, { groups: ['crm-admins'] }, 'admin'],
  ['unmapped values count for nothing', MAPPED, { groups: ['admin', 'other'] }, 'user'],
  ['without a value it is that of a user', MAPPED, { groups: [] }, 'user'],
  ['without the claim, too', MAPPED, {}, 'user'],
  ['values that are no text count for nothing', MAPPED, { groups: [7, { 'crm-admins': true }] }, 'user'],
  ['a claim inside another', { OIDC_ROLE_CLAIM: 'realm.roles' }, { realm: { roles: ['manager'] } }, 'manager'],
  ['a claim with dots in its name', { OIDC_ROLE_CLAIM: 'https://x.test/r' }, { 'https://x.test/r': 'admin' }, 'admin'],
  ['not what objects inherit', { OIDC_ROLE_CLAIM: 'constructor.name' }, {}, 'user'],
])('%s', (_name, variables, claims, expected) => {
  const env = toEnv(variables);
  expect(env && chooseRole(env, claims)).toBe(expected);
});
