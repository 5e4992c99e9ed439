import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { exportAuditEvents, listAuditEvents } from '#contract/audit/audit.calls.ts';
import { type AuditRecord, auditEvent } from '#contract/audit/audit.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { AuditScreen } from './AuditScreen.tsx';

let lastId = 0;
function anEvent(event: Partial<AuditRecord> = {}): AuditRecord {
  lastId += 1;
  return {
    id: lastId,
    at: '2026-07-01T23:30:00.000Z',
    event: 'logout',
    actor: { id: ada.id, username: ada.username, fullName: ada.fullName },
    subject: null,
    ip: '192.0.2.7',
    outcome: 'done',
    details: {},
    ...event,
  };
}

function prepare() {
  window.history.replaceState(null, '', '/audit');
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listUsers, [ada, bob]);
  return server;
}

async function open(...events: AuditRecord[]) {
  const server = prepare();
  server.responds(listAuditEvents, { items: events, next: null });
  const view = show(<AuditScreen />);
  await screen.findByText(/^Showing |^No event |^Nothing has/);
  await screen.findByRole('option', { name: 'Bob Cratchit (bob)' });
  return { server, ...view };
}

const lastQuery = (server: ReturnType<typeof fakeServer>) =>
  Object.fromEntries(new URLSearchParams(server.last(listAuditEvents)?.path.split('?')[1]));
const cells = (row: number) =>
  within(screen.getAllByRole('row')[row] as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
const choose = (label: string, option: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: label }), option);

test('an event is shown with who, what and when, in the time zone of the team', async () => {
  await open(
    anEvent({
      event: 'user_changed',
      subject: { type: 'user', id: bob.id, name: 'Bob Cratchit' },
      details: { emailChanged: true, roleAfter: 'manager', roleBefore: 'user' },
    }),
    anEvent({ event: 'sign_in_failed', actor: null, outcome: 'refused', ip: null }),
  );
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Time',
    'Event',
    'By',
    'About',
    'IP address',
    'Details',
  ]);
  await waitFor(() =>
    expect(cells(1)).toEqual([
      'Jul 2, 2026, 00:30:00',
      'User changed',
      'Ada Lovelace',
      'Bob Cratchit',
      '192.0.2.7',
      'Role before: userRole after: managerE-mail changed: yes',
    ]),
  );
  expect(cells(2).slice(1)).toEqual(['Sign-in failed Refused', 'Not signed in', '', '', '']);
  expect(screen.getByText('Showing all 2 events')).toBeVisible();
});

test('leads are links, deleted leads and accounts have their id, and holders their name', async () => {
  await open(
    anEvent({
      event: 'lead_reassigned',
      subject: { type: 'lead', id: 5, name: 'Harbour Inn' },
      details: { previousUserId: 99, newUserId: bob.id },
    }),
    anEvent({ event: 'lead_deleted', subject: { type: 'lead', id: 6, name: null }, details: { name: 'Old Mill' } }),
    anEvent({ actor: { id: 98, username: DELETED_USER, fullName: '' } }),
    anEvent({ event: 'user_deleted', subject: { type: 'user', id: 98, name: null } }),
    anEvent({ event: 'sign_in', subject: { type: 'user', id: ada.id, name: ada.fullName } }),
    anEvent({ event: 'of_a_newer_version' }),
  );
  expect(screen.getByRole('link', { name: 'Harbour Inn' })).toHaveAttribute('href', '/business/5');
  expect(cells(1).at(-1)).toBe('Previous holder: user 99New holder: Bob Cratchit');
  expect(cells(2).slice(3)).toEqual(['deleted lead 6', '192.0.2.7', 'Business: Old Mill']);
  expect(cells(3)[2]).toBe('deleted user 98');
  expect(cells(4)[3]).toBe('deleted user 98');
  // The person who signed in is not named twice.
  expect(cells(5).slice(2, 4)).toEqual(['Ada Lovelace', '']);
  expect(cells(6)[1]).toBe('of_a_newer_version');
});

test('event, person and day filter the log, and are in the URL', async () => {
  const { server } = await open(anEvent());
  expect(lastQuery(server)).toEqual({});
  expect(within(screen.getByRole('combobox', { name: 'Event' })).getAllByRole('option')).toHaveLength(
    auditEvent.options.length + 1,
  );
  await choose('Event', 'Signed in');
  await choose('Person', 'Bob Cratchit (bob)');
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2026-07-02' } });
  const query = { event: 'sign_in', userId: String(bob.id), day: '2026-07-02' };
  await waitFor(() => expect(lastQuery(server)).toEqual(query));
  expect(window.location.search).toBe(`?event=sign_in&person=${bob.id}&day=2026-07-02`);
});

test('a filter in the URL is used, also one of a person without an account', async () => {
  const server = prepare();
  server.responds(listAuditEvents, { items: [anEvent()], next: null });
  window.history.replaceState(null, '', '/audit?event=import&person=98');
  show(<AuditScreen />);
  await screen.findByText('Showing 1 event');
  expect(lastQuery(server)).toEqual({ event: 'import', userId: '98' });
  expect(screen.getByRole('combobox', { name: 'Event' })).toHaveDisplayValue('Import');
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Person' })).toHaveDisplayValue('deleted user 98'));
});

test('a name shows the events of that person, and the other filters stay', async () => {
  const { server } = await open(anEvent({ event: 'user_created', subject: { type: 'user', id: bob.id, name: 'Bob' } }));
  await choose('Event', 'User created');
  await userEvent.click(await screen.findByRole('link', { name: 'Bob' }));
  await waitFor(() => expect(lastQuery(server)).toEqual({ event: 'user_created', userId: String(bob.id) }));
  expect(screen.getByRole('combobox', { name: 'Person' })).toHaveDisplayValue('Bob Cratchit (bob)');
  expect(screen.getByRole('combobox', { name: 'Person' })).toHaveFocus();
});

test('more events are loaded below, until there are none', async () => {
  const server = prepare();
  const [first, second, third] = [anEvent(), anEvent(), anEvent()];
  server.handles(listAuditEvents, ({ path }) =>
    Response.json(
      path.includes('before=') ? { items: [third], next: null } : { items: [first, second], next: second.id },
    ),
  );
  show(<AuditScreen />);
  expect(await screen.findByText('Showing the newest 2 events')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Showing all 3 events')).toHaveFocus();
  expect(lastQuery(server)).toEqual({ before: String(second.id) });
  expect(screen.getAllByRole('row')).toHaveLength(4);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('events that could not be loaded below can be loaded again', async () => {
  const server = prepare();
  server.responds(listAuditEvents, { items: [anEvent()], next: 1 });
  show(<AuditScreen />);
  await screen.findByText('Showing the newest 1 events');
  server.refuses(listAuditEvents, 'internal', 'Something went wrong');
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'More events could not be loaded: 500: Something went wrong',
  );
  expect(screen.getAllByRole('row')).toHaveLength(2);

  server.responds(listAuditEvents, { items: [anEvent()], next: null });
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Showing all 2 events')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a status is shown while the log loads, and a log that failed to load can be loaded again', async () => {
  const server = prepare();
  const loading = server.holds(listAuditEvents);
  show(<AuditScreen />);
  expect(screen.getByText('Loading the audit log…')).toBeInTheDocument();
  loading.refuse('internal', 'Something went wrong');
  expect(await screen.findByRole('alert')).toHaveTextContent('The audit log could not be loaded');

  server.responds(listAuditEvents, { items: [anEvent()], next: null });
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('Showing 1 event')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('filters that match nothing can be cleared', async () => {
  const { server } = await open();
  expect(screen.getByText('Nothing has been recorded yet')).toBeVisible();
  await choose('Event', 'Import');
  expect(await screen.findByText('No event matches the filters in use')).toBeVisible();
  server.responds(listAuditEvents, { items: [anEvent()], next: null });
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('Showing 1 event')).toBeVisible();
  expect(window.location.search).toBe('');
  expect(screen.getByRole('combobox', { name: 'Person' })).toHaveFocus();
});

test('without the users, the log is still shown', async () => {
  const server = prepare();
  server.refuses(listUsers, 'internal', 'Something went wrong');
  server.responds(listAuditEvents, { items: [anEvent()], next: null });
  show(<AuditScreen />);
  expect(await screen.findByText('Users could not be loaded')).toBeVisible();
  expect(screen.getByText('Showing 1 event')).toBeVisible();
  server.responds(listUsers, [bob]);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('option', { name: 'Bob Cratchit (bob)' })).toBeInTheDocument();
  expect(screen.queryByText('Users could not be loaded')).toBeNull();
});

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  URL.createObjectURL = () => 'blob:export';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
const pressExport = () => userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));

test('the filtered log is exported', async () => {
  const { server, toasts } = await open(anEvent());
  await choose('Event', 'Import');
  await choose('Person', 'Bob Cratchit (bob)');
  server.handles(exportAuditEvents, () => new Response('\ufeff"Time (UTC)","Event"\r\n"a","Import"\r\n'));
  await pressExport();
  await waitFor(() => expect(toasts).toEqual(['1 event exported | The file is called audit.csv.']));
  expect(new URL(server.last(exportAuditEvents)?.path ?? '', 'http://x').search).toBe(`?event=import&userId=${bob.id}`);
  expect(saved).toEqual(['audit.csv']);
});

test('a file that is not complete is not saved, and a refused export shows the reason', async () => {
  const { server, toasts } = await open(anEvent());
  server.handles(exportAuditEvents, () => new Response('\ufeff"Time (UTC)","Event"\r\n"a","Imp'));
  await pressExport();
  const lost = 'Export failed | The connection was lost. Nothing was saved; please try again.';
  await waitFor(() => expect(toasts).toEqual([lost]));
  server.refuses(exportAuditEvents, 'rate_limited', 'Too many requests');
  await pressExport();
  await waitFor(() => expect(toasts).toEqual([lost, 'Export failed | 429: Too many requests']));
  expect(saved).toEqual([]);
});
