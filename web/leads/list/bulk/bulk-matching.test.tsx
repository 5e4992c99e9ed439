import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { undoChanges } from '#contract/changes/changes.calls.ts';
import { cancelJob } from '#contract/jobs/jobs.calls.ts';
import { bulkAddTag, bulkRemoveTag } from '#contract/leads/bulk/bulk.calls.ts';
import type { BulkJob } from '#contract/leads/bulk/bulk-job.ts';
import {
  getLatestBulkJob,
  previewDistribution,
  previewTerritories,
  startBulkJob,
} from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { listAllTags, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { getUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { ada, aLeadItem, aLeadPage, bob } from '#web/testing/fixtures.ts';
import { listServer, openList, press, showList } from '#web/testing/lead-list.tsx';

const JOB: BulkJob = {
  id: '11111111-1111-4111-8111-111111111111',
  verb: 'archive',
  state: 'running',
  total: 1_200,
  done: 0,
  success: 0,
  failed: 0,
  reasons: [],
  message: null,
  batchId: null,
  createdAt: '2026-03-10T09:00:00.000Z',
};
const DONE: BulkJob = { ...JOB, state: 'done', done: 1_200, success: 1_200, batchId: JOB.id };
const succeeded = (success: number) => ({ results: { success, failed: 0, errors: [] } });

beforeEach(() => window.history.replaceState(null, '', '/crm?view=table'));

async function selectAllMatching() {
  const opened = await openList([aLeadItem(1), aLeadItem(2)], { total: 1_200 });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  await press('Select all 1,200 that match');
  expect(await screen.findByText('1,200 selected')).toBeVisible();
  return opened;
}
async function runAction(name: string) {
  await press('Bulk Actions');
  await userEvent.click(await screen.findByRole('menuitem', { name }));
}
/** The end of a job is no mutation's, so that its toast is one of the page. */
function shownToast() {
  const { title, description } = pageToasts.current() ?? {};
  return [title, description].filter(Boolean).join(' | ');
}
const progress = () => screen.findByRole('region', { name: 'Bulk action' });

test('an action on all that match is started with the filter, shows its progress, and is undone as one', async () => {
  const { server } = await selectAllMatching();
  server.responds(startBulkJob, JOB);
  server.responds(getLatestBulkJob, { job: { ...JOB, done: 500, success: 500 } });
  await runAction('Archive');
  expect(within(await progress()).getByText(/of 1,200 done/)).toBeVisible();
  expect(server.last(startBulkJob)?.body).toEqual({
    filter: { hideClosed: true, archived: false, existing: false, sort: 'newest' },
    count: 1_200,
    action: { verb: 'archive' },
  });
  expect(screen.queryByText(/selected$/)).toBeNull();
  expect(await screen.findByText('500 of 1,200 done')).toBeVisible();

  server.responds(getLatestBulkJob, { job: DONE });
  await waitFor(() => expect(shownToast()).toBe('1200 businesses archived successfully'));
  expect(screen.queryByRole('region', { name: 'Bulk action' })).toBeNull();
  // The next selection starts with the page again.
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  expect(screen.getByText('2 selected')).toBeVisible();
  server.responds(undoChanges, { message: 'All were undone', undone: 1_200, skipped: [] } as never);
  pageToasts.undo();
  await waitFor(() => expect(server.last(undoChanges)?.path).toContain(JOB.id));
});

test('Cancel keeps what is done and says so', async () => {
  const { server } = await selectAllMatching();
  server.responds(startBulkJob, JOB);
  server.responds(getLatestBulkJob, { job: JOB });
  server.responds(cancelJob, {
    ...DONE,
    state: 'cancelled',
    done: 500,
    success: 499,
    failed: 1,
    reasons: ['Gone'],
  });
  await runAction('Archive');
  await userEvent.click(within(await progress()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() =>
    expect(shownToast()).toBe('499 businesses archived successfully | Cancelled after 500 of 1,200. 1 failed: Gone'),
  );
  expect(server.last(cancelJob)?.path).toContain(JOB.id);
});

test('an action that is refused keeps the selection', async () => {
  const { server, toasts } = await selectAllMatching();
  server.refuses(startBulkJob, 'bulk_running', 'Your last bulk action is still running. Please wait, or cancel it.');
  await runAction('Archive');
  await waitFor(() => expect(toasts[0]).toContain('Archive failed | 409: Your last bulk action is still running.'));
  expect(screen.getByText('1,200 selected')).toBeVisible();
});

test('a job that was left running is shown on the next visit, and so is how it ended', async () => {
  const server = listServer();
  setUserItem(ada.id, 'bulk-job', JOB.id);
  server.responds(getLatestBulkJob, {
    job: { ...JOB, state: 'stopped', done: 500, failed: 500, message: 'The account is no longer active' },
  });
  showList();
  await waitFor(() =>
    expect(shownToast()).toBe(
      'Archive failed | Stopped after 500 of 1,200: The account is no longer active. 500 failed',
    ),
  );
  expect(getUserItem(ada.id, 'bulk-job')).toBeNull();
});

test('the end of a job that was shown already is not shown again', async () => {
  const server = listServer();
  server.responds(getLatestBulkJob, { job: DONE });
  showList();
  await screen.findByText(/results found/);
  await waitFor(() => expect(server.times(getLatestBulkJob)).toBe(1));
  expect(shownToast()).toMatch(/^List refreshed/);
});

test('more than 10,000 cannot be selected at once', async () => {
  const { server } = await openList([aLeadItem(1), aLeadItem(2)]);
  server.responds(listLeads, { ...aLeadPage([aLeadItem(1), aLeadItem(2)], 10_000), totalCapped: true });
  await press('Refresh List');
  await screen.findByText('10,000+ results found');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  expect(screen.getByText('More than 10,000 match. Narrow the filters to select all.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /that match$/ })).toBeNull();
});

test('a page that is not wholly selected, or is the whole list, offers no more', async () => {
  await openList([aLeadItem(1), aLeadItem(2)]);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  expect(screen.getByText('2 selected')).toBeVisible();
  expect(screen.queryByRole('button', { name: /that match$/ })).toBeNull();
});

test('deselecting one lead ends the selection of all', async () => {
  await selectAllMatching();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Shop 1' }));
  expect(screen.getByText('1 selected')).toBeVisible();
});

test('leads that come and go do not end the selection of all: its number follows', async () => {
  const { server, queries } = await selectAllMatching();
  server.responds(listLeads, aLeadPage([aLeadItem(3), aLeadItem(2)], 1_201));
  await queries.invalidateQueries();
  expect(await screen.findByText('1,201 selected')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select Shop 3' })).toBeChecked();
  server.responds(listLeads, aLeadPage([], 0));
  await queries.invalidateQueries();
  expect(await screen.findByText('0 selected')).toBeVisible();
  await press('Clear selection');
  expect(screen.queryByText(/selected$/)).toBeNull();
});

test('the selection of all survives a visit to another screen and a reload', async () => {
  const { unmount } = await selectAllMatching();
  unmount();
  await openList([aLeadItem(1), aLeadItem(2)], { total: 1_200 });
  expect(await screen.findByText('1,200 selected')).toBeVisible();
  await press('Clear selection');
  expect(screen.queryByText(/selected$/)).toBeNull();
});

test('another filter ends the selection of all, also after it is taken back', async () => {
  await selectAllMatching();
  const archived = screen.getByRole('switch', { name: 'Show Archived' });
  await userEvent.click(archived);
  await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
  await userEvent.click(archived);
  expect(screen.queryByText(/selected$/)).toBeNull();
});

test('a deletion of more leads than were confirmed is refused, and asks again with the new number', async () => {
  const { server, toasts } = await selectAllMatching();
  server.handles(startBulkJob, ({ body }) =>
    (body as { count: number }).count === 1_201
      ? Response.json({ ...JOB, verb: 'delete' })
      : Response.json({ code: 'count_changed', message: '1,201 businesses match now', count: 1_201 }, { status: 409 }),
  );
  await runAction('Delete');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Confirm Deletion' }));
  expect(dialog.getByText(/delete 1,200 selected business\(es\)/)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await dialog.findByText(/delete 1,201 selected business\(es\)/)).toBeVisible();
  expect(toasts).toEqual(['Deletion failed | 409: 1,201 businesses match now']);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(server.times(startBulkJob)).toBe(2);
});

test('a question that is open keeps its number when leads come', async () => {
  const { server, queries } = await selectAllMatching();
  await runAction('Delete');
  server.responds(listLeads, aLeadPage([aLeadItem(3), aLeadItem(2)], 1_300));
  await queries.invalidateQueries();
  await waitFor(() => expect(document.body).toHaveTextContent('1,300 selected'));
  expect(screen.getByText(/delete 1,200 selected business\(es\)/)).toBeVisible();
});

test.each([
  ['Add tag', bulkAddTag, 'Tag added to 2 businesses'],
  ['Remove tag', bulkRemoveTag, 'Tag removed from 2 businesses'],
] as const)('%s of the selected leads', async (action, call, toast) => {
  const { server, toasts } = await openList([aLeadItem(1), aLeadItem(2)]);
  server.responds(listAllTags, ['hot']);
  server.responds(call, succeeded(2));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  await runAction(action);
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: action }));
  expect(dialog.getByText('Tag must not be empty')).toBeVisible();
  await userEvent.type(dialog.getByRole('combobox', { name: 'Tag' }), 'hot{Enter}');
  await waitFor(() => expect(toasts).toContain(toast));
  expect(server.last(call)?.body).toEqual({ ids: [1, 2], tag: 'hot' });
});

test.each(['all that match', 'chosen ones'])('leads are assigned evenly after a preview: %s', async (which) => {
  const matching = which === 'all that match';
  const { server } = matching ? await selectAllMatching() : await openList([aLeadItem(1), aLeadItem(2)]);
  if (!matching) await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  const shares = [
    { userId: ada.id, fullName: ada.fullName, current: 10, held: 0, share: 500 },
    { userId: bob.id, fullName: bob.fullName, current: 2, held: 30, share: 700 },
  ];
  server.responds(previewDistribution, { shares });
  server.responds(startBulkJob, { ...JOB, verb: 'distribute' });
  server.responds(getLatestBulkJob, { job: { ...DONE, verb: 'distribute' } });
  await runAction('Assign evenly');
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign Evenly' }));
  expect(dialog.getByRole('button', { name: 'Assign' })).toBeDisabled();
  await userEvent.click(await dialog.findByRole('checkbox', { name: ada.fullName }));
  await userEvent.click(dialog.getByRole('checkbox', { name: bob.fullName }));
  await userEvent.click(dialog.getByRole('button', { name: 'By goal left' }));
  const sent = {
    ...(matching
      ? { filter: { hideClosed: true, archived: false, existing: false, sort: 'newest' } }
      : { ids: [1, 2] }),
    action: { verb: 'distribute', users: [ada.id, bob.id], by: 'goal' },
  };
  await waitFor(() => expect(server.last(previewDistribution)?.body).toEqual(sent));
  expect(await dialog.findByRole('row', { name: 'User Now Keeps Gets' })).toBeVisible();
  expect(dialog.getByRole('row', { name: `${bob.fullName} 2 contacts to the goal 30 700` })).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(shownToast()).toBe('1200 businesses reassigned successfully'));
  expect(server.last(startBulkJob)?.body).toEqual(matching ? { ...sent, count: 1_200 } : sent);
});

test('the preview of an even assignment follows the number of leads', async () => {
  const { server, queries } = await selectAllMatching();
  const sharesOf = (share: number) => ({
    shares: [{ userId: bob.id, fullName: bob.fullName, current: 2, held: 0, share }],
  });
  server.responds(previewDistribution, sharesOf(1_200));
  await runAction('Assign evenly');
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign Evenly' }));
  await userEvent.click(await dialog.findByRole('checkbox', { name: bob.fullName }));
  expect(await dialog.findByRole('row', { name: /1,200$/ })).toBeVisible();
  server.responds(previewDistribution, sharesOf(1_201));
  server.responds(listLeads, aLeadPage([aLeadItem(3), aLeadItem(2)], 1_201));
  await queries.invalidateQueries({ queryKey: [listLeads.path] });
  expect(await dialog.findByRole('row', { name: /1,201$/ })).toBeVisible();
});

test('leads that are even already cannot be assigned evenly', async () => {
  const { server } = await selectAllMatching();
  const shares = [{ userId: ada.id, fullName: ada.fullName, current: 1_200, held: 1_200, share: 0 }];
  server.responds(previewDistribution, { shares });
  await runAction('Assign evenly');
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign Evenly' }));
  await userEvent.click(await dialog.findByRole('checkbox', { name: ada.fullName }));
  expect(await dialog.findByText('All of these stay with their holders.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Assign' })).toBeDisabled();
});

test('leads go each to its own territory after a preview', async () => {
  const { server } = await selectAllMatching();
  const shares = [
    { userId: ada.id, fullName: ada.fullName, count: 900, fallback: 0, held: 100 },
    { userId: bob.id, fullName: bob.fullName, count: 200, fallback: 200, held: 0 },
  ];
  server.responds(previewTerritories, { shares });
  server.responds(startBulkJob, { ...JOB, verb: 'distribute', total: 1_100 });
  server.responds(getLatestBulkJob, { job: { ...DONE, verb: 'distribute', success: 1_100 } });
  await runAction('Assign evenly');
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign Evenly' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Each to its own territory' }));
  expect(dialog.getByRole('button', { name: 'Assign' })).toBeDisabled();
  await userEvent.selectOptions(dialog.getByLabelText('Outside all territories'), bob.fullName);
  expect(await dialog.findByText(`${ada.fullName} 900, outside all territories: 200 → ${bob.fullName}`)).toBeVisible();
  expect(dialog.getByText('100 stay with their holders')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(shownToast()).toBe('1100 businesses reassigned successfully'));
  const sent = {
    filter: { hideClosed: true, archived: false, existing: false, sort: 'newest' },
    action: { verb: 'to-territories', fallbackUserId: bob.id },
  };
  expect(server.last(previewTerritories)?.body).toEqual(sent);
  expect(server.last(startBulkJob)?.body).toEqual({ ...sent, count: 1_200 });
});

test('users do not assign evenly', async () => {
  await openList([aLeadItem(1)], { as: bob });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Shop 1' }));
  await press('Bulk Actions');
  await screen.findByRole('menuitem', { name: 'Add tag' });
  expect(screen.queryByRole('menuitem', { name: 'Assign evenly' })).toBeNull();
});
