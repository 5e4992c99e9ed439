import { describe, expect, test } from 'vitest';
import type { Role } from '#contract/users/user.ts';
import type { Session, SignedOut } from '#web/auth/session.data.ts';
import { type Access, guardRoute, redirectTarget } from './guards.ts';
import { ROUTES } from './routes.tsx';
import { ada } from './testing/fixtures.ts';

const SHOW = { show: 'screen' };
const signedIn = (role: Role): Session => ({ user: { ...ada, role } });
const signedOut = (reason: SignedOut['reason'], needed = false): Session => ({
  user: null,
  reason,
  setup: { needed, codeRequired: false },
});
const decide = (access: Access, session: Session) => guardRoute(access, session, '/here?x=1', null);

test('every route has its access level', () => {
  expect(Object.fromEntries(ROUTES.map(({ path, access }) => [path, access]))).toEqual({
    '/': 'user',
    '/today': 'user',
    '/trip': 'user',
    '/account': 'user',
    '/help/phone': 'user',
    '/reminders': 'user',
    '/confirm-email': 'public',
    '/report-sign-in': 'public',
    '/invitation': 'public',
    '/stop-weekly-email': 'public',
    '/changes': 'user',
    '/search': 'user',
    '/crm': 'user',
    '/coverage': 'user',
    '/reports': 'user',
    '/reports/contacts': 'user',
    '/proposals': 'user',
    '/territories': 'user',
    '/business/:id': 'user',
    '/business/uuid/:uuid': 'user',
    '/users': 'admin',
    '/sweeps': 'admin',
    '/sweeps/:id': 'admin',
    '/duplicates': 'admin',
    '/objections': 'admin',
    '/audit': 'admin',
    '/system': 'admin',
    '/settings': 'admin',
    '/import': 'admin',
    '/import-businesses': 'admin',
    '/import/:id': 'admin',
    '/import/:id/corrections': 'admin',
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
    ['manager', { admin: SHOW, manager: SHOW, user: { redirectTo: '/crm' } }],
    ['admin', { admin: SHOW, manager: { show: 'admin-only' }, user: { show: 'admin-only' } }],
    ['signed-out', { admin: { redirectTo: '/' }, manager: { redirectTo: '/' }, user: { redirectTo: '/' } }],
    ['setup', { admin: { redirectTo: '/' }, manager: { redirectTo: '/' }, user: { redirectTo: '/' } }],
  ])('%s', (access, expected) => {
    for (const role of ['admin', 'manager', 'user'] as const) {
      expect(decide(access, signedIn(role)), role).toEqual(expected[role]);
    }
  });
});

describe('not signed in', () => {
  test.each<Access>(['user', 'manager', 'admin'])(
    'a screen for %ss redirects to sign-in with the path to return to',
    (access) => {
      expect(decide(access, signedOut('anonymous'))).toEqual({ redirectTo: '/auth', state: { from: '/here?x=1' } });
      expect(decide(access, signedOut('ended'))).toEqual({
        redirectTo: '/auth',
        state: { from: '/here?x=1', ended: true },
      });
      expect(decide(access, signedOut('logged-out'))).toEqual({ redirectTo: '/auth' });
    },
  );

  test('public screens are shown; /setup redirects to sign-in', () => {
    expect(decide('public', signedOut('anonymous'))).toEqual(SHOW);
    expect(decide('signed-out', signedOut('anonymous'))).toEqual(SHOW);
    expect(decide('setup', signedOut('anonymous'))).toEqual({ redirectTo: '/auth' });
  });
});

test.each<Access>(['public', 'signed-out', 'user', 'manager', 'admin'])(
  'without any account a %s screen redirects to /setup',
  (access) => {
    expect(decide(access, signedOut('anonymous', true))).toEqual({ redirectTo: '/setup' });
    expect(decide('setup', signedOut('anonymous', true))).toEqual(SHOW);
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
])('after sign-in, history state %j opens %s', (state, target) => {
  expect(redirectTarget(state)).toBe(target);
});
