import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { cancelJob, getJob } from '#contract/jobs/jobs.calls.ts';
import { getShares } from '#contract/leads/bulk/bulk.calls.ts';
import { listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import type { Sweep } from '#contract/sweeps/sweep.ts';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import { currentUrl } from '#web/testing/app.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { aResult, aSweep } from '#web/testing/sweeps.ts';
import { SweepScreen } from './SweepScreen.tsx';

const { id: ID } = aSweep();
const COUNTS = { new: 2, assigned: 0, lead: 3, customer: 1, similar: 1, outside: 4, closed: 0 };
const RESULTS = {
  items: [aResult(1), aResult(2)],
  counts: COUNTS,
  ...{ batchId: null, total: 2, page: 1, pageSize: 50 },
};

beforeEach(() => window.history.replaceState(null, '', `/sweeps/${ID}`));

function open(sweep: Partial<Sweep> = {}) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(calls.getSweep, aSweep(sweep));
  server.responds(calls.listSweepResults, RESULTS);
  server.responds(listUsersForReassignment, [
    { id: ada.id, fullName: ada.fullName, username: ada.username, role: 'admin' },
    { id: bob.id, fullName: bob.fullName, username: bob.username, role: 'user' },
  ]);
  return { server, ...show(<SweepScreen id={ID} />) };
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

test('progress, totals and results are shown, with what was left out and why', async () => {
  const { server } = open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Hairdresser in WF, LS' })).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Districts searched' })).toHaveAttribute('aria-valuenow', '100');
  expect(screen.getByText('46 of 46 districts')).toBeVisible();
  expect(screen.getByText('640')).toBeVisible();
  const table = await screen.findByRole('table', { name: 'Results' });
  expect(within(table).getAllByRole('row')).toHaveLength(3);
  expect(within(table).getByText('1 High Street, Leeds LS1 2AB')).toBeVisible();

  server.responds(calls.listSweepResults, { ...RESULTS, items: [aResult(3, { status: 'lead' })], total: 3 });
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Already a lead (3)');
  expect(await within(table).findByText('Already a lead')).toBeVisible();
  expect(currentUrl()).toBe(`/sweeps/${ID}?status=lead`);
  expect(server.last(calls.listSweepResults)?.path).toBe(`/api/sweeps/${ID}/results?page=1&status=lead`);
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a result that looks like a lead is shown with that lead, and cannot be chosen', async () => {
  const { server } = open();
  const leadUuid = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
  const looksLike = { name: 'Salon One Ltd', town: 'Leeds', leadUuid };
  server.responds(calls.listSweepResults, {
    ...RESULTS,
    items: [aResult(1, { status: 'similar', looksLike })],
    total: 1,
  });
  await screen.findByRole('option', { name: 'Looks like a lead (1)' });
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Looks like a lead (1)');
  const link = await screen.findByRole('link', { name: 'Salon One Ltd in Leeds' });
  expect(link).toHaveAttribute('href', `/business/uuid/${leadUuid}`);
  expect(link.closest('td')).toHaveTextContent('Looks like Salon One Ltd in Leeds (already a lead)');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

describe('a running sweep', () => {
  const running = { state: 'running', districts: { total: 46, done: 12, failed: 0 }, finishedAt: null } as const;

  test('is refreshed, paused and continued, with the focus on the same button', async () => {
    const { server } = open(running);
    expect(await screen.findByText('12 of 46 districts')).toBeVisible();
    server.responds(calls.getSweep, aSweep({ ...running, districts: { total: 46, done: 23, failed: 0 } }));
    await waitFor(() => expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50'));
    const paused = aSweep({ ...running, state: 'paused', canContinue: true });
    server.responds(calls.pauseSweep, paused);
    server.responds(calls.getSweep, paused);
    await press('Pause');
    const proceed = await screen.findByRole('button', { name: 'Continue' });
    expect(proceed).toHaveFocus();
    server.responds(calls.continueSweep, aSweep(running));
    await userEvent.click(proceed);
    expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible();
  });

  test('is cancelled after a confirmation', async () => {
    const { server } = open(running);
    const cancelled = aSweep({ ...running, state: 'cancelled' });
    server.responds(calls.cancelSweep, cancelled);
    await press('Cancel sweep');
    server.responds(calls.getSweep, cancelled);
    await userEvent.click(
      within(await screen.findByRole('alertdialog', { name: 'Cancel this sweep?' })).getByRole('button', {
        name: 'Cancel sweep',
      }),
    );
    expect(await screen.findByText('Cancelled', { selector: 'span' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  });

  test('that pauses after its call says so', async () => {
    open({ ...running, stopping: true });
    expect(await screen.findByText('It stops after the call that is under way.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Pause' })).toHaveAttribute('aria-busy', 'true');
  });
});

test('a sweep that was stopped at the cap says so, and one with failed districts repeats them', async () => {
  const message = 'Stopped at the cap: 12 of 46 districts done. Continue next month, or after the cap is raised.';
  const { unmount } = open({
    state: 'stopped',
    message,
    canContinue: true,
    districts: { total: 46, done: 12, failed: 0 },
  });
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Continue' })).toBeVisible();
  unmount();
  open({ state: 'done', canContinue: true, districts: { total: 46, done: 44, failed: 2 } });
  expect(await screen.findByRole('button', { name: 'Repeat 2 failed' })).toBeVisible();
});

test('the districts are a tab of their own, with errors and what the source does not return', async () => {
  const { server } = open();
  const district = { code: 'LS1', town: 'Leeds', state: 'done', found: 60, added: 44, more: true, calls: 3 } as const;
  server.responds(calls.listSweepDistricts, {
    items: [
      { ...district, error: null },
      { ...district, code: 'LS2', state: 'failed', more: false, error: 'The Places API of Google failed.' },
    ],
    ...{ total: 2, page: 1, pageSize: 100 },
  });
  await userEvent.click(await screen.findByRole('tab', { name: 'Districts' }));
  const table = await screen.findByRole('region', { name: 'Districts' });
  expect(within(table).getByText('More may match than the source returns')).toBeVisible();
  expect(within(table).getByText('The Places API of Google failed.')).toBeVisible();
  expect(currentUrl()).toBe(`/sweeps/${ID}?tab=districts`);
});

describe('assigning', () => {
  const UNDONE = { message: 'Undone', takenBack: 2, deleted: 2, left: [], creditsKept: 0 };

  test('all new results to one user, by the server as one batch, which can be undone', async () => {
    const { server, toasts, lastUndo } = open();
    await press('Assign all new (2)');
    const dialog = await screen.findByRole('dialog', { name: 'Assign Results' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
    expect(await within(dialog).findByText('Please select a user')).toBeVisible();
    await userEvent.selectOptions(within(dialog).getByLabelText('User'), String(bob.id));
    const job = {
      ...{ id: ID, state: 'running' as const, total: 1, done: 0, success: 1, failed: 0, reasons: [] },
      ...{ message: null, batchId: ID, createdAt: '2026-03-04T12:00:00.000Z' },
    };
    server.responds(calls.assignSweepResults, { assigned: 1, left: 1, job }, { [BATCH_HEADER]: ID });
    server.responds(getJob, { ...job, state: 'done', done: 1, success: 2 });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
    await waitFor(() => expect(toasts).toEqual(['2 businesses assigned']), { timeout: 3_000 });
    expect(server.times(calls.assignSweepResults)).toBe(1);
    const assignment = { to: 'user', userId: bob.id };
    const sent = { batch: expect.any(String), assignment, background: true };
    expect(server.last(calls.assignSweepResults)?.body).toEqual(sent);
    server.responds(undoChanges, UNDONE);
    lastUndo()?.();
    await waitFor(() => expect(server.last(undoChanges)?.path).toBe(`/api/changes/${ID}/undo?background=true`));
  });

  test('a long assignment is cancelled with its count, or left running', async () => {
    const { server, toasts } = open();
    await press('Assign all new (2)');
    const dialog = await screen.findByRole('dialog', { name: 'Assign Results' });
    await userEvent.selectOptions(await within(dialog).findByLabelText('User'), String(bob.id));
    const job = {
      ...{ id: ID, state: 'running' as const, total: 1, done: 0, success: 1, failed: 0, reasons: [] },
      ...{ message: null, batchId: ID, createdAt: '2026-03-04T12:00:00.000Z' },
    };
    server.responds(calls.assignSweepResults, { assigned: 1, left: 1, job }, { [BATCH_HEADER]: ID });
    server.responds(getJob, job);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
    expect(await within(dialog).findByText('It goes on if you leave this page.')).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Leave it running' })).toBeEnabled();
    const cancelled = { ...job, state: 'cancelled' as const };
    server.responds(cancelJob, cancelled);
    server.responds(getJob, cancelled);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(toasts).toEqual(['1 business assigned | Cancelled: the others stay as they were.']), {
      timeout: 3_000,
    });
    expect(server.last(cancelJob)?.path).toBe(`/api/jobs/${ID}/cancel`);
  });

  test('chosen results, evenly, with a preview of who gets how many', async () => {
    const { server, toasts } = open();
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Salon 2' }));
    await press('Assign selected');
    const dialog = await screen.findByRole('dialog', { name: 'Assign Results' });
    await userEvent.click(await within(dialog).findByRole('button', { name: 'By goal left' }));
    server.responds(getShares, [{ userId: bob.id, fullName: bob.fullName, current: 12, share: 1 }]);
    await userEvent.click(within(dialog).getByRole('checkbox', { name: `${bob.fullName} (${bob.username})` }));
    expect(await within(dialog).findByText('12 contacts to the goal')).toBeVisible();
    server.responds(calls.assignSweepResults, { assigned: 0, left: 0 });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
    await waitFor(() =>
      expect(toasts).toEqual(['Nothing was assigned | Others have made these businesses leads meanwhile.']),
    );
    expect(server.last(calls.assignSweepResults)?.body).toMatchObject({
      assignment: { to: 'several', userIds: [bob.id], by: 'goal' },
      businessIds: [2],
    });
  });

  test('each to its own territory, with a preview', async () => {
    const { server, toasts } = open();
    await press('Assign all new (2)');
    const dialog = await screen.findByRole('dialog', { name: 'Assign Results' });
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Each to its own territory' }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
    expect(await within(dialog).findByText('Please select a user')).toBeVisible();
    const shares = [
      { userId: 7, fullName: 'Grace', count: 1, fallback: 0, held: 0 },
      { userId: bob.id, fullName: bob.fullName, count: 1, fallback: 1, held: 0 },
    ];
    server.responds(calls.previewSweepTerritories, { shares });
    await userEvent.selectOptions(within(dialog).getByLabelText('Outside all territories'), String(bob.id));
    const sentence = `Grace 1, outside all territories: 1 → ${bob.fullName}`;
    expect(await within(dialog).findByText(sentence)).toBeVisible();
    expect(server.last(calls.previewSweepTerritories)?.body).toEqual({ fallbackUserId: bob.id });
    server.responds(calls.assignSweepResults, { assigned: 2, left: 0 });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
    await waitFor(() => expect(toasts).toEqual(['2 businesses assigned']));
    expect(server.last(calls.assignSweepResults)?.body).toMatchObject({
      assignment: { to: 'territory', fallbackUserId: bob.id },
    });
  });

  test('that fails keeps the dialog, and the next attempt goes on with the same batch', async () => {
    const { server, toasts } = open();
    await press('Assign all new (2)');
    const dialog = await screen.findByRole('dialog', { name: 'Assign Results' });
    await userEvent.selectOptions(within(dialog).getByLabelText('User'), String(bob.id));
    server.refuses(calls.assignSweepResults, 'busy', 'Please try again');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
    await waitFor(() => expect(toasts).toEqual(['The results could not be assigned | 503: Please try again']));
    const first = server.last(calls.assignSweepResults)?.body;
    server.responds(calls.assignSweepResults, { assigned: 2, left: 0 });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
    await waitFor(() => expect(toasts).toHaveLength(2));
    expect(server.last(calls.assignSweepResults)?.body).toEqual(first);
  });
});

test('leads that were assigned are linked', async () => {
  const { server } = open();
  server.responds(calls.listSweepResults, { ...RESULTS, batchId: ID });
  expect(await screen.findByRole('link', { name: 'View the leads' })).toHaveAttribute('href', `/crm?changes=${ID}`);
});

test('nothing found, and a sweep that could not be loaded', async () => {
  const { server, unmount } = open({ results: 0, found: 0 });
  server.responds(calls.listSweepResults, {
    ...RESULTS,
    items: [],
    total: 0,
    counts: { new: 0, assigned: 0, lead: 0, customer: 0, similar: 0, outside: 0, closed: 0 },
  });
  expect(await screen.findByText('Nothing was found')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Assign all new (0)' })).toBeDisabled();
  unmount();
  server.refuses(calls.getSweep, 'not_found', 'This sweep no longer exists');
  show(<SweepScreen id={ID} />);
  expect(await screen.findByText('This sweep could not be loaded')).toBeVisible();
});
