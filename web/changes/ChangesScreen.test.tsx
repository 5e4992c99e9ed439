import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { ChangeBatch, UndoOutcome } from '#contract/changes/change.ts';
import {
  BATCH_HEADER,
  exportChanges,
  getChangeBatch,
  listChanges,
  undoChanges,
} from '#contract/changes/changes.calls.ts';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { refetchChangedLeads } from '#web/leads/leads.data.ts';
import { currentUrl } from '#web/testing/app.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aBatch, ada, aLead, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { lastQuery, press } from '#web/testing/lead-list.tsx';
import { show } from '#web/testing/show.tsx';
import { ChangesScreen } from './ChangesScreen.tsx';

beforeEach(() => window.history.replaceState(null, '', '/changes'));

function changesServer(items: ChangeBatch[] = [aBatch(1)], next: string | null = null) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listUsers, [ada, bob]);
  server.responds(listChanges, { items, next });
  return server;
}

async function openChanges(items?: ChangeBatch[], { as = ada, next }: { as?: OwnUser; next?: string } = {}) {
  const server = changesServer(items, next);
  const view = show(<ChangesScreen />, { as });
  await screen.findByRole('table', { name: 'Changes' });
  return { server, ...view };
}

const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
const row = (n: number) => within(screen.getAllByRole('row')[n] as HTMLElement);

const REASSIGNED = aBatch(2, {
  kind: 'reassign',
  user: { id: bob.id, username: bob.username, fullName: bob.fullName },
  count: 100,
  first: { name: 'Shop 2', uuid: aLead(2).uuid, change: { field: 'holder', before: 'ada', after: 'bob' } },
});

test('an admin sees who changed what and when, with the state and a link to the leads', async () => {
  const undone = aBatch(3, { undoneAt: '2026-03-04T13:00:00.000Z', canUndo: false });
  const gone = aBatch(4, { kind: 'import', user: null, count: 12, first: null, canUndo: false });
  const undoing = { ...aBatch(5, { undoneAt: undone.undoneAt, canUndo: false }), undoing: true as const };
  await openChanges([aBatch(1), REASSIGNED, undone, undoing, gone]);
  await waitFor(() => expect(rows()[0]?.[0]).toBe('Mar 4, 2026, 12:00'));
  expect(rows().map((cells) => cells.slice(1))).toEqual([
    ['Ada Lovelace', 'Status: New → Closed (Won)', 'Shop 1', 'Undo'],
    ['Bob Cratchit', 'Reassigned to bob', '100 leads', 'Undo'],
    ['Ada Lovelace', 'Status: New → Closed (Won)', 'Shop 3', 'Undone'],
    ['Ada Lovelace', 'Status: New → Closed (Won)', 'Shop 5', 'Being undone'],
    ['deleted user', 'Imported', '12 leads, deleted since', ''],
  ]);
  expect(screen.getByRole('link', { name: 'Shop 1' })).toHaveAttribute('href', `/business/uuid/${aLead(1).uuid}`);
  expect(screen.getByRole('link', { name: '100 leads' })).toHaveAttribute(
    'href',
    `/crm?changes=${REASSIGNED.id}&hideClosed=false&archived=true&existing=true`,
  );
  expect(row(1).getByRole('button', { name: 'Undo' })).toHaveAccessibleDescription('Status: New → Closed (Won)');
  expect(screen.getByText('5 changes')).toBeVisible();
});

test('a user sees neither who nor the filter by person nor the export', async () => {
  window.history.replaceState(null, '', `/changes?userId=${ada.id}`);
  const { server } = await openChanges([aBatch(1)], { as: bob });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'When',
    'What',
    'Leads',
    'Undo',
  ]);
  expect(screen.queryByRole('combobox', { name: 'Person' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
  expect(lastQuery(server, listChanges)).toEqual({});
  expect(screen.getByText('1 change')).toBeVisible();
});

test("a manager's link to reassigned leads lists those of the team", async () => {
  await openChanges([REASSIGNED], { as: { ...bob, role: 'manager' } });
  expect(screen.getByRole('link', { name: '100 leads' })).toHaveAttribute('href', expect.stringMatching(/&team=true$/));
});

test('the filters are sent and in the URL, which restores them', async () => {
  const { server, unmount } = await openChanges();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Person' }), 'Bob Cratchit (bob)');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Reassignment');
  await userEvent.type(screen.getByLabelText('Day'), '2026-03-04');
  const filter = { userId: String(bob.id), kind: 'reassign', day: '2026-03-04' };
  await waitFor(() => expect(lastQuery(server, listChanges)).toEqual(filter));
  expect(currentUrl()).toBe(`/changes?userId=${bob.id}&kind=reassign&day=2026-03-04`);

  unmount();
  show(<ChangesScreen />);
  await screen.findByRole('option', { name: 'Bob Cratchit (bob)' });
  expect(screen.getByRole('combobox', { name: 'Person' })).toHaveDisplayValue('Bob Cratchit (bob)');
  expect(screen.getByRole('combobox', { name: 'Kind' })).toHaveDisplayValue('Reassignment');
  expect(screen.getByLabelText('Day')).toHaveValue('2026-03-04');
  expect(lastQuery(server, listChanges)).toEqual(filter);
});

test('an invalid filter in the URL is no filter', async () => {
  window.history.replaceState(null, '', '/changes?userId=me&kind=nonsense&day=yesterday');
  const { server } = await openChanges();
  expect(lastQuery(server, listChanges)).toEqual({});
});

test('without changes, and with filters that match none', async () => {
  const server = changesServer([]);
  show(<ChangesScreen />);
  expect(await screen.findByText('No changes yet')).toBeVisible();
  expect(screen.getByText(/can be undone for 30 days/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Export CSV' })).toBeDisabled();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Tags');
  expect(await screen.findByText('No changes match the filters in use')).toBeVisible();
  server.responds(listChanges, { items: [aBatch(1)], next: null });
  await press('Clear filters');
  expect(await screen.findByText('1 change')).toHaveFocus();
  expect(currentUrl()).toBe('/changes');
});

test('what cannot be loaded can be loaded again', async () => {
  const server = changesServer();
  server.refuses(listChanges, 'internal', 'Something went wrong');
  show(<ChangesScreen />);
  expect(screen.getByText('Loading changes…')).toBeVisible();
  expect(await screen.findByText('Changes could not be loaded')).toBeVisible();
  expect(screen.getByText('500: Something went wrong')).toBeVisible();
  server.responds(listChanges, { items: [aBatch(1)], next: null });
  await press('Try Again');
  expect(await screen.findByRole('table', { name: 'Changes' })).toBeVisible();
});

test('"Show more" adds the next page, and at the end the focus is on the count', async () => {
  const { server } = await openChanges([aBatch(1)], { next: 'cursor 1' });
  expect(screen.getByText('The latest 1 changes')).toBeVisible();
  server.refuses(listChanges, 'internal', 'Something went wrong');
  await press('Show more');
  expect(await screen.findByText('More changes could not be loaded: 500: Something went wrong')).toBeVisible();
  expect(rows()).toHaveLength(1);

  server.responds(listChanges, { items: [aBatch(2)], next: null });
  await press('Show more');
  expect(await screen.findByText('2 changes')).toHaveFocus();
  expect(lastQuery(server, listChanges)).toEqual({ before: 'cursor 1' });
  expect(rows()).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('a change made elsewhere appears', async () => {
  const { server, queries } = await openChanges();
  server.responds(listChanges, { items: [aBatch(2), aBatch(1)], next: null });
  await refetchChangedLeads(queries, { ids: [2], inList: true });
  expect(await screen.findByRole('link', { name: 'Shop 2' })).toBeVisible();
});

test('the filtered changes are exported as CSV', async () => {
  const saved: string[] = [];
  URL.createObjectURL = () => 'blob:export';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  window.history.replaceState(null, '', '/changes?kind=status');
  const { server, toasts } = await openChanges();
  server.handles(exportChanges, () => new Response('Time,Person\n', { headers: { 'content-type': 'text/csv' } }));
  await press('Export CSV');
  await waitFor(() => expect(toasts).toEqual(['Changes exported | The file is called changes.csv.']));
  expect(lastQuery(server, exportChanges)).toEqual({ kind: 'status' });
  expect(saved).toEqual(['changes.csv']);

  server.refuses(exportChanges, 'rate_limited', 'Please wait');
  await press('Export CSV');
  await waitFor(() => expect(toasts.at(-1)).toBe('Export failed | 429: Please wait'));
  expect(saved).toHaveLength(1);
});

describe('undo', () => {
  const OUTCOME: UndoOutcome = { takenBack: 1, deleted: 0, left: [], creditsKept: 0 };
  const dialog = () => within(screen.getByRole('dialog', { name: 'Undo this change?' }));
  const confirm = () => dialog().getByRole('button', { name: 'Undo' });

  async function openDialog(batch: ChangeBatch, outcome: Partial<UndoOutcome> = {}) {
    const opened = await openChanges([batch]);
    const { first } = batch;
    const undo = { ...OUTCOME, ...outcome };
    opened.server.responds(getChangeBatch, { batch, changes: first ? [first] : [], undo });
    await press('Undo');
    await dialog().findByText(/taken back\.|undone already\./);
    return opened;
  }

  test('shows what would be taken back, does it once, and reports the outcome', async () => {
    const { server, toasts, lastUndo } = await openDialog(aBatch(1));
    expect(screen.getByRole('dialog')).toHaveAccessibleDescription(
      'Status: New → Closed (Won) · by Ada Lovelace · Mar 4, 2026, 12:00',
    );
    expect(dialog().getByText('This change will be taken back.')).toBeVisible();
    expect(dialog().getByRole('region', { name: 'Changes' })).toHaveTextContent('Shop 1 Status: New → Closed (Won)');
    server.responds(undoChanges, { message: '1 taken back', ...OUTCOME }, { [BATCH_HEADER]: aBatch(9).id });
    server.responds(listChanges, { items: [aBatch(1, { canUndo: false, undoneAt: aBatch(1).at })], next: null });
    await userEvent.dblClick(confirm());
    await waitFor(() => expect(toasts).toEqual(['Undone | 1 taken back']));
    expect(server.times(undoChanges)).toBe(1);
    expect(server.last(undoChanges)?.path).toBe(`/api/changes/${aBatch(1).id}/undo?background=true`);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText('Undone')).toBeVisible();
    expect(lastUndo()).toBeDefined();
  });

  test('of a large batch shows how far it is, can be left, and reports the end', async () => {
    const { server, toasts } = await openDialog(REASSIGNED, { takenBack: 100 });
    const job = {
      ...{ id: aBatch(8).id, state: 'running' as const, total: 100, done: 40, success: 40, failed: 0 },
      ...{ reasons: [], message: null, batchId: aBatch(8).id, createdAt: aBatch(8).at },
    };
    server.responds(undoChanges, { message: 'These changes are being taken back', ...OUTCOME, job });
    server.responds(getJob, { ...job, done: 60 });
    await userEvent.click(confirm());
    expect(await dialog().findByRole('progressbar', { name: 'Taken back' })).toHaveAttribute(
      'aria-valuetext',
      '40 of 100 done',
    );
    expect(await dialog().findByText('60 of 100 done')).toBeVisible();
    await userEvent.click(dialog().getByRole('button', { name: 'Leave it running' }));
    expect(toasts).toEqual([]);
    server.responds(getJob, { ...job, state: 'done', done: 100, message: '100 taken back' });
    await waitFor(() => expect(toasts).toEqual(['Undone | 100 taken back']), { timeout: 3_000 });
  });

  test('names what would stay and why', async () => {
    await openDialog(REASSIGNED, {
      takenBack: 95,
      left: [
        { reason: 'changed', count: 3, names: ['Shop 4', 'Shop 5', 'Shop 6'] },
        { reason: 'forbidden', count: 2, names: ['Shop 7'] },
      ],
      creditsKept: 1,
    });
    expect(dialog().getByText('The changes of 95 of 100 leads will be taken back.')).toBeVisible();
    expect(dialog().getByText('3 were changed since: Shop 4, Shop 5, Shop 6')).toBeVisible();
    expect(dialog().getByText('2 may not be changed by you: Shop 7 and 1 more')).toBeVisible();
    expect(dialog().getByText(/^1 goal credit stays: .* within 24 hours/)).toBeVisible();
    expect(dialog().getByText('and more, of 100 leads in all')).toBeVisible();
  });

  test('of an import says that its leads are deleted and cannot be restored', async () => {
    const batch = aBatch(1, { kind: 'import', count: 3 });
    await openDialog(batch, { takenBack: 3, deleted: 2 });
    expect(dialog().getByText('The changes of all 3 leads will be taken back.')).toBeVisible();
    expect(
      dialog().getByText('2 leads that this import created will be deleted. Undo cannot restore them.'),
    ).toBeVisible();
  });

  test('is not offered where nothing can be taken back, or it was undone meanwhile', async () => {
    const { unmount } = await openDialog(aBatch(1), { takenBack: 0 });
    expect(dialog().getByText('Nothing can be taken back.')).toBeVisible();
    expect(confirm()).toBeDisabled();
    unmount();

    await openDialog(aBatch(1, { undoneAt: aBatch(1).at }));
    expect(dialog().getByText('This change was undone already.')).toBeVisible();
  });

  test('that is refused says why, and the dialog stays with the current preview', async () => {
    const { server, toasts } = await openDialog(aBatch(1));
    server.refuses(undoChanges, 'not_undoable', 'This change was undone already');
    const batch = aBatch(1, { canUndo: false, undoneAt: aBatch(1).at });
    server.responds(getChangeBatch, { batch, changes: [], undo: { ...OUTCOME, takenBack: 0 } });
    await userEvent.click(confirm());
    await waitFor(() => expect(toasts).toEqual(['Failed to undo | 409: This change was undone already']));
    expect(await dialog().findByText('This change was undone already.')).toBeVisible();
    expect(confirm()).toBeDisabled();
  });

  test('whose preview cannot be loaded can be loaded again, or cancelled', async () => {
    const { server } = await openChanges();
    server.refuses(getChangeBatch, 'internal', 'Something went wrong');
    await press('Undo');
    expect(await dialog().findByText('The change could not be loaded')).toBeVisible();
    expect(confirm()).toBeDisabled();
    server.responds(getChangeBatch, { batch: aBatch(1), changes: [], undo: OUTCOME });
    await userEvent.click(dialog().getByRole('button', { name: 'Try Again' }));
    await waitFor(() => expect(confirm()).toBeEnabled());
    await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.times(undoChanges)).toBe(0);
    expect(row(1).getByRole('button', { name: 'Undo' })).toHaveFocus();
  });
});
