import { describe, expect, test } from 'vitest';
import type { Role } from '#contract/users/user.ts';
import type { Session } from '#web/auth/session.data.ts';
import { type Access, judge, targetOf } from './guards.ts';
import { ROUTES } from './routes.tsx';
import { ada } from './testing/fake-server.tsx';

const SHOW = { show: 'screen' };
const signedIn = (role: Role): Session => ({ user: { ...ada, role } });
const visitor = (why: 'anonymous' | 'ended' | 'left', needed = false): Session => ({
  user: null,
  why,
  setup: { needed, codeRequired: false },
});
const verdict = (access: Access, session: Session) => judge(access, session, '/here?x=1', null);

test('every route of the product has the access it should', () => {
  expect(Object.fromEntries(ROUTES.map(({ path, access }) => [path, access]))).toEqual({
    '/': 'user',
    '/search': 'user',
    '/crm': 'user',
    '/business/:id': 'user',
    '/business/uuid/:uuid': 'user',
    '/users': 'admin',
    '/import': 'admin',
    '/import-businesses': 'admin',
    '/progress': 'manager',
    '/auth': 'signed-out',
    '/forgot-password': 'public',
    '/reset-password': 'public',
    '/setup': 'setup',
  });
});

describe('signed in', () => {
  test.each<[Access, Record<Role, unknown>]>([
    ['public', { admin: SHOW, manager: SHOW, user: SHOW }],
    ['user', { admin: SHOW, manager: SHOW, user: SHOW }],
    ['manager', { admin: SHOW, manager: SHOW, user: { goTo: '/crm' } }],
    ['admin', { admin: SHOW, manager: { show: 'admin-only' }, user: { show: 'admin-only' } }],
    ['signed-out', { admin: { goTo: '/' }, manager: { goTo: '/' }, user: { goTo: '/' } }],
    ['setup', { admin: { goTo: '/' }, manager: { goTo: '/' }, user: { goTo: '/' } }],
  ])('%s', (access, expected) => {
    for (const role of ['admin', 'manager', 'user'] as const) {
      expect(verdict(access, signedIn(role)), role).toEqual(expected[role]);
    }
  });
});

describe('not signed in', () => {
  test.each<Access>(['user', 'manager', 'admin'])('a screen for %ss leads to sign-in and is remembered', (access) => {
    expect(verdict(access, visitor('anonymous'))).toEqual({ goTo: '/auth', state: { from: '/here?x=1' } });
    expect(verdict(access, visitor('ended'))).toEqual({ goTo: '/auth', state: { from: '/here?x=1', ended: true } });
    expect(verdict(access, visitor('left'))).toEqual({ goTo: '/auth' });
  });

  test('public screens are shown; the set-up is over', () => {
    expect(verdict('public', visitor('anonymous'))).toEqual(SHOW);
    expect(verdict('signed-out', visitor('anonymous'))).toEqual(SHOW);
    expect(verdict('setup', visitor('anonymous'))).toEqual({ goTo: '/auth' });
  });
});

test.each<Access>(['public', 'signed-out', 'user', 'manager', 'admin'])(
  'without any account a %s screen leads to /setup',
  (access) => {
    expect(verdict(access, visitor('anonymous', true))).toEqual({ goTo: '/setup' });
    expect(verdict('setup', visitor('anonymous', true))).toEqual(SHOW);
  },
);

test.each([
  [{ from: '/crm?page=2' }, '/crm?page=2'],
  [{ from: '//evil.example' }, '/'],
  [{ from: '/\\evil.example' }, '/'],
  [{ from: 'https://evil.example' }, '/'],
  [{ from: 7 }, '/'],
  [{}, '/'],
  [null, '/'],
  ['/crm', '/'],
])('after sign-in, remembered %j leads to %s', (state, target) => {
  expect(targetOf(state)).toBe(target);
});
