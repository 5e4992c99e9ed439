import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { downloadBackup, getSystem, type SystemStatus, startBackup } from '#contract/system/system.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { aBackup, aSystem, aSystemJob } from '#web/testing/system.ts';
import { SystemScreen } from './SystemScreen.tsx';

function prepare() {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  return server;
}

async function open(system: Partial<SystemStatus> = {}) {
  const server = prepare();
  server.responds(getSystem, aSystem(system));
  const view = show(<SystemScreen />);
  await screen.findByRole('heading', { name: 'Backups' });
  await screen.findAllByText(/, 02:30$/); // the team's zone is known
  return { server, ...view };
}

const backups = (changed: Partial<SystemStatus['backups']>) => ({ backups: { ...aSystem().backups, ...changed } });
const attention = () => screen.getByRole('region', { name: 'What needs attention' });
const definition = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling;
const cells = (table: string, row: number) =>
  within(within(screen.getByRole('table', { name: table })).getAllByRole('row')[row] as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

test('with everything well, it says so, and what is known', async () => {
  await open();
  expect(attention()).toHaveTextContent('Everything is in order.');
  expect(definition('Last backup')).toHaveTextContent('Nov 18, 2026, 02:30Done12 MB');
  expect(definition('Last proof')).toHaveTextContent('Nov 18, 2026, 02:32PassedRestored and compared in 12 s');
  expect(definition('Next backup')).toHaveTextContent('Nov 19, 2026, 02:30');
  expect(definition('PostgreSQL')).toHaveTextContent('18.1, built in');
  expect(definition('Size')).toHaveTextContent('48 MB');
  expect(definition('Growth')).toHaveTextContent('+3.2 MB in 30 days');
  expect(screen.getByText('60 GB of 100 GB free')).toBeVisible();
  expect(definition('Sent to')).toHaveTextContent('Mail server');
  expect(definition('Paid calls this month')).toHaveTextContent('123 of 900');
  expect(screen.getByText(/^Highstreet 1/)).toHaveTextContent('Highstreet 1.0.0, started Nov 17, 2026, 08:00');
  expect(screen.getByText('0 running, 1 waiting')).toBeVisible();
  expect(cells('Jobs', 1)).toEqual([
    'Deleting what has expired',
    'Waiting',
    'Highstreet',
    '',
    'Nov 18, 2026, 13:00:00',
  ]);
});

test('a red line for each problem, with what to do and since when', async () => {
  const problem = { key: 'disk_low /srv', kind: 'disk_low', title: 'The disk is nearly full', since: null } as const;
  await open({
    problems: [
      { ...problem, message: '1 GB of 100 GB are free.' },
      {
        key: 'backup_failed',
        kind: 'backup_failed',
        title: 'The last backup failed',
        message: 'There is no room.',
        since: '2026-11-18T02:31:00.000Z',
      },
    ],
  });
  expect(
    within(attention())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'The disk is nearly full1 GB of 100 GB are free.',
    'The last backup failedThere is no room.since Nov 18, 2026, 02:31',
  ]);
  expect(screen.queryByText('Everything is in order.')).toBeNull();
});

test('what failed is named with its reason', async () => {
  const failed = aBackup(3, { finishedAt: null, bytes: null, error: 'There is no room.', proof: 'skipped' });
  const damaged = aBackup(2, { proof: 'failed', proofMessage: 'The table users differs.', encrypted: true });
  await open({
    ...backups({ last: damaged, lastProven: damaged, items: [failed, damaged] }),
    mail: {
      ...aSystem().mail,
      waiting: 2,
      oldestAt: '2026-11-18T11:00:00.000Z',
      lastError: 'The mail server could not be reached (ECONNREFUSED)',
      lastFailedAt: '2026-11-18T11:59:00.000Z',
    },
    jobs: [
      aSystemJob(2, { kind: 'sweep', state: 'failing', tries: 5, lastError: 'The provider is slow.' }),
      aSystemJob(3, { kind: 'bulk', state: 'failing', user: 'Bob Cratchit', lastError: 'A bug.', nextAt: null }),
      aSystemJob(4, { kind: 'undo', state: 'running', user: 'Bob Cratchit', done: 500, total: 1_200 }),
    ],
  });
  expect(definition('Last backup')).toHaveTextContent('12 MB, encrypted');
  expect(definition('Last proof')).toHaveTextContent('FailedThe table users differs.');
  expect(cells('Backups', 1)).toEqual(['Nov 18, 2026, 02:30', 'Nightly', 'FailedThere is no room.', '', '', '']);
  expect(cells('Backups', 2)?.at(-2)).toBe('FailedThe table users differs.');
  expect(definition('Waiting')).toHaveTextContent('2');
  expect(definition('Last error')).toHaveTextContent('The mail server could not be reached (ECONNREFUSED)');
  expect(screen.getByText('2 failing, 1 running, 0 waiting')).toBeVisible();
  expect(cells('Jobs', 1)[0]).toBe('SweepThe provider is slow. (5 times in a row)');
  expect(cells('Jobs', 2)).toEqual(['Bulk actionA bug.', 'Failing', 'Bob Cratchit', '', 'None: it was stopped']);
  expect(cells('Jobs', 3)).toEqual(['Undo', 'Running', 'Bob Cratchit', '500 of 1,200', 'Now']);
});

test("a new installation on a team's own database, without backups, jobs and a mail server", async () => {
  const server = prepare();
  const { database, mail } = aSystem();
  server.responds(getSystem, {
    ...aSystem({
      ...backups({ last: null, lastProven: null, nextAt: null, items: [] }),
      database: { ...database, kind: 'own', growth: null },
      mail: { ...mail, sentTo: 'folder' },
      places: { provider: 'osm', paidCalls: null },
      jobs: [],
    }),
  });
  show(<SystemScreen />);
  await screen.findByRole('heading', { name: 'Backups' });
  expect(definition('Last backup')).toHaveTextContent('None yet');
  expect(definition('Last proof')).toHaveTextContent('None yet');
  expect(definition('Next backup')).toHaveTextContent('OffBACKUP_AT is off');
  expect(screen.queryByRole('table')).toBeNull();
  expect(definition('PostgreSQL')).toHaveTextContent('18.1, your own');
  expect(definition('Growth')).toHaveTextContent('Known from tomorrow on');
  expect(definition('Sent to')).toHaveTextContent('A folder, without a mail server');
  expect(definition('Paid calls this month')).toHaveTextContent('None: it is free');
  expect(screen.getByText('No job is running or waiting')).toBeVisible();
});

test('a status is shown while it loads, and what failed to load can be loaded again', async () => {
  const server = prepare();
  const loading = server.holds(getSystem);
  show(<SystemScreen />);
  expect(screen.getByText('Loading the state of the system…')).toBeInTheDocument();
  loading.refuse('internal', 'Something went wrong');
  expect(await screen.findByRole('alert')).toHaveTextContent('The state of the system could not be loaded');
  server.responds(getSystem, aSystem());
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('Everything is in order.')).toBeVisible();
});

describe('while it is open', () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => vi.useRealTimers());

  test('it is read again every 30 seconds, and what was known stays when that fails', async () => {
    const { server } = await open();
    expect(server.times(getSystem)).toBe(1);
    server.responds(getSystem, aSystem({ version: '1.0.1' }));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await screen.findByText(/^Highstreet 1.0.1/)).toBeVisible();
    server.refuses(getSystem, 'internal', 'Something went wrong');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await screen.findByRole('alert')).toHaveTextContent('This could not be refreshed');
    expect(screen.getByText(/^Highstreet 1.0.1/)).toBeVisible();
  });

  test('a backup is started and followed to its end', async () => {
    const { server, toasts } = await open();
    server.responds(startBackup, undefined);
    const running = aBackup(3, { kind: 'manual', finishedAt: null, bytes: null, proof: 'waiting' });
    server.responds(getSystem, aSystem(backups({ running: true, items: [running] })));
    await userEvent.click(screen.getByRole('button', { name: 'Back up now' }));
    const button = await screen.findByRole('button', { name: 'Backing up…' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveFocus();
    expect(toasts).toEqual(['Backup started | It goes on if you leave this page.']);
    expect(cells('Backups', 1).slice(1, 4)).toEqual(['By hand', 'Running', '']);
    server.responds(getSystem, aSystem());
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await screen.findByRole('button', { name: 'Back up now' })).toHaveFocus();
  });
});

test('a backup that is not started says why', async () => {
  const { server, toasts } = await open();
  server.refuses(startBackup, 'backup_running', 'A backup is being made');
  await userEvent.click(screen.getByRole('button', { name: 'Back up now' }));
  await waitFor(() => expect(toasts).toEqual(['Backup not started | 409: A backup is being made']));
});

describe('the file of a backup', () => {
  const saved: string[] = [];
  beforeEach(() => {
    saved.length = 0;
    URL.createObjectURL = () => 'blob:backup';
    URL.revokeObjectURL = () => {};
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
  });
  const download = 'Download the backup of Nov 18, 2026, 02:30';
  const password = () => screen.getByLabelText('Your password');
  const submit = () => userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Download' }));

  test('is downloaded for the password', async () => {
    const { server, toasts } = await open();
    await userEvent.click(screen.getByRole('button', { name: download }));
    expect(screen.getByRole('dialog', { name: 'Download backup' })).toHaveAccessibleDescription(
      'The file (12 MB) holds all leads and accounts. It is not encrypted: keep it in a safe place.',
    );
    await submit();
    expect(password()).toHaveAccessibleDescription('Please enter your password');
    expect(server.times(downloadBackup)).toBe(0);

    const disposition = 'attachment; filename="highstreet-2026-11-18.backup"';
    server.handles(downloadBackup, () => new Response('bytes', { headers: { 'content-disposition': disposition } }));
    await userEvent.type(password(), 'god bless us');
    await submit();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(saved).toEqual(['highstreet-2026-11-18.backup']);
    expect(toasts).toEqual(['Backup downloaded | The file is called highstreet-2026-11-18.backup.']);
    expect(server.last(downloadBackup)).toMatchObject({
      path: `/api/system/backups/${aBackup(1).id}/download`,
      body: { password: 'god bless us' },
    });
    expect(screen.getByRole('button', { name: download })).toHaveFocus();
  });

  test('is not saved for a wrong password, and the field says so', async () => {
    const { server, toasts } = await open();
    await userEvent.click(screen.getByRole('button', { name: download }));
    const message = 'The password is not correct';
    server.refuses(downloadBackup, 'invalid_credentials', message, { errors: [{ path: 'password', message }] });
    await userEvent.type(password(), 'a guess');
    await submit();
    await waitFor(() => expect(password()).toHaveAccessibleDescription(message));
    expect(password()).toHaveFocus();
    expect(toasts).toEqual([`Download failed | 401: ${message}`]);
    expect(saved).toEqual([]);
  });

  test('is aborted when the dialog is closed', async () => {
    const { server } = await open();
    await userEvent.click(screen.getByRole('button', { name: download }));
    server.holds(downloadBackup);
    await userEvent.type(password(), 'god bless us');
    await submit();
    expect(screen.getByRole('button', { name: 'Downloading…' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(server.last(downloadBackup)?.signal?.aborted).toBe(true));
    expect(saved).toEqual([]);
  });
});
