import { render } from '@testing-library/react';
import { getSetup, getUser } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { getTodayCounts } from '#contract/leads/today/today.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import type { Role } from '#contract/users/user.ts';
import { App } from '#web/App.tsx';
import { claimLinkToken } from '#web/auth/link-token.ts';
import { endSession, replaceSession } from '#web/auth/session.data.ts';
import { createQueries } from '#web/kit/queries.ts';
import { createToastStore } from '#web/kit/toasts.ts';
import { fakeServer } from './fake-server.ts';
import { ada, SETTINGS } from './fixtures.ts';

/** The whole app at a path, wired as in main.tsx. */
export function openApp(path: string, state: unknown = null) {
  window.history.replaceState(state, '', path);
  claimLinkToken();
  const toasts = createToastStore();
  const queries = createQueries({
    toast: toasts.show,
    onSignedOut: (queries) => endSession(queries, 'ended'),
    onSessionChanged: replaceSession,
  });
  return { queries, ...render(<App queries={queries} toasts={toasts} />) };
}

/** A server on which a user with this role is signed in. */
export function serverFor(role: Role) {
  const server = fakeServer();
  server.responds(getUser, { ...ada, role });
  server.responds(getSettings, SETTINGS);
  server.responds(getTodayCounts, { overdue: 0, due: 0, new: 0, loose: 0, quiet: 0, later: 0 });
  server.responds(getWeeklyContacts, { count: 10, target: 25, weekProgress: 57 });
  server.responds(getMonthlyContacts, { count: 40, target: 100, monthName: 'November', monthProgress: 50 });
  return server;
}

/** A server on which no user is signed in. */
export function serverForVisitors({ setup = false, codeRequired = false } = {}) {
  const server = fakeServer();
  server.refuses(getUser, 'not_authenticated', 'Please sign in');
  server.responds(getSetup, { needed: setup, codeRequired });
  return server;
}

/** The path and query of the current page. */
export const currentUrl = () => window.location.pathname + window.location.search;
