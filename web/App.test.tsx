import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { getSso, getUser, login } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { getImport } from '#contract/import/import-jobs.calls.ts';
import { changeLeadNotes, getAssignmentHistory, getLead } from '#contract/leads/leads.calls.ts';
import type { Role } from '#contract/users/user.ts';
import { deleteDrafts, readDraft } from '#web/kit/storage/drafts.ts';
import { anImport } from '#web/testing/imports.ts';
import { aProfile } from '#web/testing/lead-profile.tsx';
import { read } from './kit/api.ts';
import { currentUrl, openApp, serverFor, serverForVisitors } from './testing/app.tsx';
import { fakeServer } from './testing/fake-server.ts';
import { ada } from './testing/fixtures.ts';

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

describe('routes', () => {
  test.each<[string, Role, string]>([
    ['/', 'admin', 'Search for Businesses'],
    ['/', 'manager', 'CRM Dashboard'],
    ['/', 'user', 'CRM Dashboard'],
    ['/search', 'user', 'Search for Businesses'],
    ['/crm', 'user', 'CRM Dashboard'],
    ['/business/7', 'user', 'Blue Door Bakery'],
    [`/business/uuid/${UUID}`, 'user', 'Blue Door Bakery'],
    ['/progress', 'manager', 'Team Progress'],
    ['/progress', 'admin', 'Team Progress'],
    ['/import', 'admin', 'Import Businesses'],
    ['/import-businesses', 'admin', 'Import Businesses'],
    ['/changes', 'user', 'Recent changes'],
    ['/proposals', 'user', 'Proposals'],
    ['/users', 'manager', 'Admin Access Required'],
    ['/duplicates', 'admin', 'Duplicates'],
    ['/duplicates', 'manager', 'Admin Access Required'],
    ['/audit', 'admin', 'Audit log'],
    ['/audit', 'manager', 'Admin Access Required'],
    ['/system', 'admin', 'System'],
    ['/system', 'manager', 'Admin Access Required'],
    ['/settings', 'admin', 'Settings'],
    ['/settings', 'manager', 'Admin Access Required'],
    ['/import', 'user', 'Admin Access Required'],
    ['/import-businesses', 'user', 'Admin Access Required'],
    [`/import/${UUID}`, 'admin', 'Import of leads.xlsx'],
    [`/import/${UUID}`, 'manager', 'Admin Access Required'],
    [`/import/${UUID}/corrections`, 'admin', 'Correct rows of leads.xlsx'],
    [`/import/${UUID}/corrections`, 'user', 'Admin Access Required'],
    ['/nowhere', 'user', '404 Page Not Found'],
  ])('%s for a %s is "%s"', async (path, role, title) => {
    const server = serverFor(role);
    for (const form of [getLead.byId, getLead.byUuid]) server.responds(form, aProfile());
    server.responds(getImport, anImport());
    openApp(path);

    await heading(title);
    expect(currentUrl()).toBe(path);
    await waitFor(() => expect(document.title).toBe(`${title} · Highstreet`));
  });

  test.each(['/business/abc', '/business/0', '/business/uuid/7'])('%s shows the error of the server', async (path) => {
    const server = serverFor('user');
    for (const form of [getLead.byId, getLead.byUuid]) server.refuses(form, 'invalid_request', 'That is no lead');
    openApp(path);
    await heading('Unable to Load Customer');
    expect(screen.getByText(/That is no lead/)).toBeVisible();
  });

  test('the home screen of administrators has two tabs', async () => {
    serverFor('admin');
    openApp('/');

    await userEvent.click(await screen.findByRole('tab', { name: 'CRM Dashboard' }));

    await heading('CRM Dashboard');
    expect(screen.getByRole('tab', { name: 'Search Businesses', selected: false })).toBeVisible();
  });

  test('/progress redirects a user without a team to their leads', async () => {
    serverFor('user');
    openApp('/progress');
    await heading('CRM Dashboard');
    expect(currentUrl()).toBe('/crm');
  });

  test('the admin-only page explains itself and links home', async () => {
    serverFor('user');
    openApp('/users');
    await heading('Admin Access Required');
    expect(screen.getByText('You need administrator privileges to access this page.')).toBeVisible();

    await userEvent.click(screen.getByRole('link', { name: 'Return to Home' }));

    await heading('CRM Dashboard');
    expect(currentUrl()).toBe('/');
  });

  test.each(['visitor', 'user'] as const)('an unknown path shows a %s the 404 page', async (viewer) => {
    if (viewer === 'visitor') serverForVisitors();
    else serverFor('user');
    openApp('/nowhere');

    await heading('404 Page Not Found');
    expect(screen.getByText('Did you forget to add the page to the router?')).toBeVisible();
  });

  test('after a navigation the heading has the focus', async () => {
    serverFor('manager');
    openApp('/crm');
    await heading('CRM Dashboard');
    expect(document.body).toHaveFocus();

    await userEvent.click(screen.getByRole('link', { name: 'Progress' }));

    expect(await heading('Team Progress')).toHaveFocus();
  });
});

describe('scrolling', () => {
  test('after going back within a screen, the next screen still starts at the top', async () => {
    serverFor('manager');
    openApp('/crm');
    await heading('CRM Dashboard');
    act(() => window.history.pushState(null, '', '/crm?sort=oldest'));
    const popped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
    window.history.back();
    await act(() => popped);
    const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});

    await userEvent.click(screen.getByRole('link', { name: 'Progress' }));
    await heading('Team Progress');
    expect(scrolled).toHaveBeenLastCalledWith(0, 0);
  });
});

describe('the session', () => {
  test('a spinner is shown until the session is loaded', async () => {
    const server = fakeServer();
    const held = server.holds(getUser);
    openApp('/crm');

    expect(screen.getByText('Loading…')).toBeVisible();
    held.respond({ ...ada, role: 'user' });
    await heading('CRM Dashboard');
  });

  test('a session that could not be loaded shows an error and can be retried', async () => {
    const server = serverFor('user');
    server.refuses(getUser, 'internal', 'Something went wrong');
    openApp('/crm');
    await heading('Highstreet could not be opened');
    expect(screen.getByText('500: Something went wrong')).toBeVisible();

    server.responds(getUser, { ...ada, role: 'user' });
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));

    await heading('CRM Dashboard');
  });

  test.each(['/', '/search', '/crm?page=2', '/business/7', '/users', '/import', '/progress'])(
    '%s redirects a visitor to sign-in, and back once signed in',
    async (path) => {
      const server = serverForVisitors();
      server.responds(login, ada);
      openApp(path);
      await heading('Sign in');
      expect(currentUrl()).toBe('/auth');

      await userEvent.type(screen.getByLabelText('Username or email'), 'ada');
      await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');

      await waitFor(() => expect(currentUrl()).toBe(path));
      await screen.findByRole('banner');
    },
  );

  test.each(['//evil.example/x', '/\\evil.example', 'https://evil.example'])(
    'a return path of %s is not opened',
    async (from) => {
      serverFor('user');
      openApp('/auth', { from });
      await heading('CRM Dashboard');
      expect(currentUrl()).toBe('/');
    },
  );

  test.each(['/auth', '/setup'])('%s redirects a signed-in user to the home screen', async (path) => {
    serverFor('user');
    openApp(path);
    await heading('CRM Dashboard');
    expect(currentUrl()).toBe('/');
  });

  describe('with unsaved notes', () => {
    const signIn = async () => {
      await heading('Sign in');
      await userEvent.type(screen.getByLabelText('Username or email'), 'ada');
      await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
    };
    const openNotes = async () => {
      await heading('Blue Door Bakery');
      await userEvent.click(screen.getByRole('tab', { name: 'Notes' }));
      return screen.getByRole('textbox', { name: 'Notes' });
    };

    test('that expires: the same user finds them again, another does not', async () => {
      deleteDrafts();
      const holder = { ...ada, id: 7, role: 'user' as const };
      const server = serverFor('user');
      server.responds(getUser, holder);
      server.responds(getLead.byId, aProfile());
      server.responds(getAssignmentHistory.byId, []);
      server.refuses(changeLeadNotes.byId, 'not_authenticated', 'Please sign in');
      openApp('/business/5');
      await userEvent.type(await openNotes(), 'Half a thought');
      await userEvent.click(screen.getByRole('button', { name: 'Save Notes' }));

      server.responds(login, holder);
      await signIn();
      expect(await openNotes()).toHaveValue('Half a thought');

      await userEvent.click(screen.getByRole('button', { name: 'Save Notes' }));
      server.responds(login, { ...ada, role: 'admin' });
      await signIn();
      expect(await openNotes()).toHaveValue('');
      expect(readDraft(7, aProfile().userBusiness.uuid)).toBeUndefined();
    });
  });

  test('ended by the server: one redirect to sign-in, no toasts, an empty cache', async () => {
    const server = serverFor('user');
    const { queries } = openApp('/crm');
    await heading('CRM Dashboard');
    await queries.fetchQuery(read(getSettings));
    server.refuses(getUser, 'not_authenticated', 'Please sign in');
    server.refuses(getSettings, 'not_authenticated', 'Please sign in');
    const replaced = vi.spyOn(window.history, 'replaceState');

    await act(() => queries.invalidateQueries({ queryKey: [getSettings.path], refetchType: 'all' }));

    await heading('Sign in');
    expect(screen.getByText('Your session has ended. Please sign in again.')).toBeVisible();
    expect(window.history.state).toEqual({ from: '/crm', ended: true, entry: expect.any(String) });
    expect(replaced).toHaveBeenCalledTimes(1);
    expect(within(screen.getByRole('region', { name: /Notifications/ })).queryByRole('status')).toBeNull();
    expect(
      queries
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey[0]),
    ).toEqual([getUser.path, getSso.path]);
  });
});
