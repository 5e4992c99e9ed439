import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { bulkAddTag, bulkRemoveTag, getShares, listLeadIds } from '#contract/leads/bulk.calls.ts';
import { bulkArchive, bulkReassign, listAllTags } from '#contract/leads/lead-lists.calls.ts';
import { ada, aLeadItem, bob } from '#web/testing/fixtures.ts';
import { DEFAULT_QUERY, lastQuery, openList, press } from '#web/testing/lead-list.tsx';

const BATCH = '11111111-1111-4111-8111-111111111111';
const IDS = Array.from({ length: 1_200 }, (_, nth) => nth + 1);
const succeeded = (success: number) => ({ results: { success, failed: 0, errors: [] } });

beforeEach(() => window.history.replaceState(null, '', '/crm?view=table'));

async function selectAllMatching() {
  const { server, ...view } = await openList([aLeadItem(1), aLeadItem(2)], { total: IDS.length });
  server.responds(listLeadIds, { ids: IDS, capped: false });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  await press('Select all 1,200 that match');
  expect(await screen.findByText('1,200 selected')).toBeVisible();
  return { server, ...view };
}
async function runAction(name: string) {
  await press('Bulk Actions');
  await userEvent.click(await screen.findByRole('menuitem', { name }));
}
const bodies = (server: Awaited<ReturnType<typeof selectAllMatching>>['server'], path: string) =>
  server.requests
    .filter((request) => request.path === path)
    .map(({ body }) => body as { ids: number[]; batch: string });

test('an action on all that match is sent in steps of one batch, and undone as one', async () => {
  const { server, toasts, lastUndo } = await selectAllMatching();
  expect(lastQuery(server, listLeadIds)).toEqual({
    hideClosed: 'true',
    archived: 'false',
    existing: 'false',
    sort: DEFAULT_QUERY.sort,
  });
  server.responds(bulkArchive, succeeded(400), { [BATCH_HEADER]: BATCH });
  await runAction('Archive');
  await waitFor(() => expect(toasts).toContain('1200 businesses archived successfully'));
  const sent = bodies(server, bulkArchive.path);
  expect(sent.map(({ ids }) => ids.length)).toEqual([500, 500, 200]);
  expect(sent.flatMap(({ ids }) => ids)).toEqual(IDS);
  expect(new Set(sent.map(({ batch }) => batch)).size).toBe(1);
  expect(screen.queryByText(/selected$/)).toBeNull();
  // The next selection starts with the page again.
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  expect(screen.getByText('2 selected')).toBeVisible();

  server.responds(undoChanges, { message: 'All were undone', undone: 1_200, skipped: [] } as never);
  lastUndo()?.();
  await waitFor(() => expect(server.last(undoChanges)?.path).toContain(BATCH));
});

test('the progress is shown, and Cancel keeps what is done and says so', async () => {
  const { server, toasts } = await selectAllMatching();
  const held = server.holds(bulkArchive);
  await runAction('Archive');
  const dialog = within(await screen.findByRole('dialog', { name: 'Changing Leads' }));
  expect(dialog.getByText('0 of 1,200 done')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  held.respond(succeeded(500));
  await waitFor(() =>
    expect(toasts).toContain('500 businesses archived successfully | Cancelled before all were changed'),
  );
  expect(server.times(bulkArchive)).toBe(1);
});

test('a step that fails keeps what was changed before', async () => {
  const { server, toasts } = await selectAllMatching();
  let steps = 0;
  server.handles(bulkArchive, () => {
    steps += 1;
    if (steps === 2) return new Response('{"code":"internal","message":"Something went wrong"}', { status: 500 });
    return Response.json(succeeded(500), { headers: { [BATCH_HEADER]: BATCH } });
  });
  await runAction('Archive');
  await waitFor(() => expect(toasts[0]).toContain('500 businesses archived successfully | Stopped before all'));
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

test('leads are assigned evenly after a preview, as one batch', async () => {
  const { server, toasts } = await selectAllMatching();
  const shares = [
    { userId: ada.id, fullName: ada.fullName, current: 10, share: 500 },
    { userId: bob.id, fullName: bob.fullName, current: 2, share: 700 },
  ];
  server.responds(getShares, shares);
  server.responds(bulkReassign, succeeded(400), { [BATCH_HEADER]: BATCH });
  await runAction('Assign evenly');
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign Evenly' }));
  expect(dialog.getByRole('button', { name: 'Assign' })).toBeDisabled();
  await userEvent.click(await dialog.findByRole('checkbox', { name: ada.fullName }));
  await userEvent.click(dialog.getByRole('checkbox', { name: bob.fullName }));
  await userEvent.click(dialog.getByRole('button', { name: 'By goal left' }));
  await waitFor(() =>
    expect(lastQuery(server, getShares)).toEqual({ users: `${ada.id},${bob.id}`, count: '1200', by: 'goal' }),
  );
  expect(await dialog.findByRole('row', { name: `${bob.fullName} 2 contacts to the goal 700` })).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(toasts).toContain('1200 businesses reassigned successfully'));
  const sent = server.requests
    .filter(({ path }) => path === bulkReassign.path)
    .map(({ body }) => body as { ids: number[]; newUserId: number; batch: string });
  expect(sent.map(({ newUserId, ids }) => [newUserId, ids.length])).toEqual([
    [ada.id, 500],
    [bob.id, 500],
    [bob.id, 200],
  ]);
  expect(new Set(sent.map(({ batch }) => batch)).size).toBe(1);
});

test('users do not assign evenly', async () => {
  await openList([aLeadItem(1)], { as: bob });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Shop 1' }));
  await press('Bulk Actions');
  await screen.findByRole('menuitem', { name: 'Add tag' });
  expect(screen.queryByRole('menuitem', { name: 'Assign evenly' })).toBeNull();
});
