import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import {
  bulkArchive,
  bulkDelete,
  bulkDropFollowUps,
  bulkPlanFollowUp,
  bulkReassign,
  bulkRestore,
  bulkUpdateStatus,
  listLeads,
} from '#contract/leads/lead-lists.calls.ts';
import { listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { ada, aLeadItem, aLeadPage, bob } from '#web/testing/fixtures.ts';
import { openList, press } from '#web/testing/lead-list.tsx';
import { dismissToast } from '#web/testing/show.tsx';

const bulkResults = (success: number, errors: { id: number; message: string }[] = []) => ({
  results: { success, failed: errors.length, errors },
});

const tick = (name: string) => userEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
const pick = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }));

async function selectTwo() {
  const opened = await openList([aLeadItem(1), aLeadItem(2), aLeadItem(3)]);
  await tick('Shop 1');
  await tick('Shop 3');
  await press('Bulk Actions');
  return opened;
}

test('the menu is shown while leads are selected', async () => {
  await openList();
  expect(screen.queryByRole('button', { name: 'Bulk Actions' })).toBeNull();
  await tick('Shop 1');
  expect(screen.getByText('1 selected')).toBeVisible();
  await press('Bulk Actions');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Update Status',
    'Add tag',
    'Remove tag',
    'Plan follow-up',
    'Reassign',
    'Assign evenly',
    'Archive',
    'Restore',
    'Delete',
  ]);
  await userEvent.keyboard('{Escape}');
  await press('Clear selection');
  expect(screen.queryByRole('button', { name: 'Bulk Actions' })).toBeNull();
});

test('in the table one checkbox selects the page, and is indeterminate for a part of it', async () => {
  await openList([aLeadItem(1), aLeadItem(2)]);
  await userEvent.click(screen.getByRole('tab', { name: 'Table' }));
  const all = () => screen.getByRole('checkbox', { name: 'Select all on this page' });

  await userEvent.click(all());
  expect(screen.getByText('2 selected')).toBeVisible();
  expect(all()).toBeChecked();
  await tick('Shop 1');
  expect(all()).toBePartiallyChecked();
  await userEvent.click(all());
  expect(screen.getByText('2 selected')).toBeVisible();
  await userEvent.click(all());
  expect(screen.queryByText(/selected$/)).toBeNull();
});

test('the selection survives a change of view, but not of page or filter', async () => {
  await openList([aLeadItem(1)], { total: 25 });
  await tick('Shop 1');
  await userEvent.click(screen.getByRole('tab', { name: 'Table' }));
  expect(screen.getByText('1 selected')).toBeVisible();

  await press('Next');
  expect(screen.queryByText('1 selected')).toBeNull();
  await press('Previous');
  expect(screen.queryByText('1 selected')).toBeNull();
  expect(screen.getByRole('checkbox', { name: 'Select Shop 1' })).not.toBeChecked();

  await tick('Shop 1');
  const archived = screen.getByRole('switch', { name: 'Show Archived' });
  await userEvent.click(archived);
  expect(screen.queryByText('1 selected')).toBeNull();
  await userEvent.click(archived);
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Select Shop 1' })).not.toBeChecked());
  expect(screen.queryByText('1 selected')).toBeNull();
});

test('a lead that leaves the page leaves the selection, and does not come back selected', async () => {
  const { server } = await openList([aLeadItem(1), aLeadItem(2)]);
  await tick('Shop 1');
  await tick('Shop 2');
  server.responds(listLeads, aLeadPage([aLeadItem(2)]));
  await press('Refresh List');
  expect(await screen.findByText('1 selected')).toBeVisible();

  server.responds(listLeads, aLeadPage([aLeadItem(1), aLeadItem(2)]));
  await press('Refresh List');
  expect(await screen.findByRole('checkbox', { name: 'Select Shop 1' })).not.toBeChecked();
  expect(screen.getByText('1 selected')).toBeVisible();

  server.responds(bulkArchive, bulkResults(1));
  await press('Bulk Actions');
  await pick('Archive');
  await waitFor(() => expect(server.last(bulkArchive)?.body).toEqual({ ids: [2] }));
});

test('a lead selected while the next page loads is not selected on that page', async () => {
  const { server } = await openList([aLeadItem(1)], { total: 25 });
  const held = server.holds(listLeads);
  await press('Next');
  await tick('Shop 1');
  held.respond(aLeadPage([aLeadItem(2)], 25));
  expect(await screen.findByRole('article', { name: 'Shop 2' })).toBeVisible();
  expect(screen.queryByText('1 selected')).toBeNull();
});

test.each([
  ['Archive', bulkArchive, '2 businesses archived successfully'],
  ['Restore', bulkRestore, '2 businesses restored successfully'],
] as const)('%s applies to all selected leads', async (item, call, message) => {
  const { server, toasts } = await selectTwo();
  server.responds(call, bulkResults(2));
  server.responds(listLeads, aLeadPage([aLeadItem(2)]));

  await pick(item);

  await waitFor(() => expect(toasts).toEqual([message]));
  expect(server.last(call)?.body).toEqual({ ids: [1, 3] });
  expect(server.last(call)?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Shop 1' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Bulk Actions' })).toBeNull();
  expect(screen.getByText('1 result found')).toHaveFocus();
});

test('Delete asks for confirmation', async () => {
  const { server, toasts } = await selectTwo();
  server.responds(bulkDelete, bulkResults(2));
  await pick('Delete');

  const dialog = screen.getByRole('alertdialog', { name: 'Confirm Deletion' });
  expect(dialog).toHaveTextContent(
    'Are you sure you want to delete 2 selected business(es)? This action is permanent and cannot be undone.',
  );
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(server.times(bulkDelete)).toBe(0);

  await press('Bulk Actions');
  await pick('Delete');
  await press('Delete');
  await waitFor(() => expect(toasts).toEqual(['2 businesses deleted successfully']));
  expect(server.last(bulkDelete)?.body).toEqual({ ids: [1, 3] });
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('each of the eight statuses can be set, and the status-changed event is dispatched', async () => {
  const listener = vi.fn();
  window.addEventListener('status-changed', listener);
  const { server, toasts } = await selectTwo();
  server.responds(bulkUpdateStatus, bulkResults(2));

  await pick('Update Status');
  await screen.findByRole('menuitem', { name: 'Negotiation' });
  const offered = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(offered.slice(1, 9)).toEqual([
    'New',
    'In Progress',
    'Recontact',
    'Closed (Won)',
    'Closed (Lost)',
    'Qualified',
    'Proposal',
    'Negotiation',
  ]);
  await pick('Proposal');

  await waitFor(() => expect(toasts).toEqual(['Status updated for 2 businesses']));
  expect(server.last(bulkUpdateStatus)?.body).toEqual({ ids: [1, 3], status: 'proposal' });
  expect(listener).toHaveBeenCalledOnce();
  window.removeEventListener('status-changed', listener);
});

test('partial failures are reported with the reason', async () => {
  const { server, toasts } = await selectTwo();
  server.responds(bulkArchive, bulkResults(1, [{ id: 3, message: 'This lead no longer exists' }]));
  await pick('Archive');
  await waitFor(() =>
    expect(toasts).toEqual(['1 businesses archived successfully | 1 failed: This lead no longer exists']),
  );
});

test.each([
  ['Archive', bulkArchive, 'Archive failed'],
  ['Restore', bulkRestore, 'Restore failed'],
] as const)('%s that failed for all reports it and keeps the selection', async (item, call, title) => {
  const { server, toasts } = await selectTwo();
  server.responds(
    call,
    bulkResults(
      0,
      [1, 3].map((id) => ({ id, message: 'This lead no longer exists' })),
    ),
  );
  await pick(item);
  await waitFor(() => expect(toasts).toEqual([`${title} | 2 failed: This lead no longer exists`]));
  expect(screen.getByText('2 selected')).toBeVisible();
});

test('a refused action shows the reason; a retry after a lost response has the same idempotency key', async () => {
  const { server, toasts } = await selectTwo();
  server.vanishes(bulkArchive);
  await pick('Archive');
  await waitFor(() => expect(toasts[0]).toMatch(/^Archive failed \| /));
  const first = server.last(bulkArchive)?.headers.get('idempotency-key');

  server.refuses(bulkArchive, 'not_your_lead', 'This lead is assigned to another user');
  await press('Bulk Actions');
  await pick('Archive');
  await waitFor(() => expect(toasts[1]).toBe('Archive failed | 403: This lead is assigned to another user'));
  expect(server.last(bulkArchive)?.headers.get('idempotency-key')).toBe(first);
});

const assignees = [
  { id: 1, fullName: 'Ada Lovelace', username: 'ada', role: 'admin' as const },
  { id: 2, fullName: 'Bob Cratchit', username: 'bob', role: 'user' as const },
  { id: 3, fullName: '', username: 'cy', role: 'manager' as const },
];

async function openReassign() {
  const opened = await selectTwo();
  opened.server.responds(listUsersForReassignment, assignees);
  await pick('Reassign');
  const dialog = within(await screen.findByRole('dialog', { name: 'Reassign Businesses' }));
  await dialog.findByRole('combobox', { name: 'Reassign to' });
  return { ...opened, dialog };
}

test('leads are reassigned with notes', async () => {
  const { server, toasts, dialog } = await openReassign();
  server.responds(bulkReassign, bulkResults(2));
  expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Bob Cratchit (bob)', 'cy']);

  await userEvent.click(dialog.getByRole('button', { name: 'Reassign' }));
  expect(dialog.getByText('Please select a user to reassign to')).toBeVisible();
  expect(server.times(bulkReassign)).toBe(0);

  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Reassign to' }), 'cy');
  await userEvent.type(dialog.getByRole('textbox', { name: 'Notes' }), '  moved north ');
  await userEvent.click(dialog.getByRole('button', { name: 'Reassign' }));

  await waitFor(() => expect(toasts).toEqual(['2 businesses reassigned successfully']));
  expect(server.last(bulkReassign)?.body).toEqual({ ids: [1, 3], newUserId: 3, notes: 'moved north' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('empty notes are not sent, and a refusal keeps the dialog open', async () => {
  const { server, toasts, dialog } = await openReassign();
  server.refuses(bulkReassign, 'already_assigned', 'Business is already assigned to this user');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Reassign to' }), 'Bob Cratchit (bob)');
  await userEvent.type(dialog.getByRole('textbox', { name: 'Notes' }), '   ');
  await userEvent.click(dialog.getByRole('button', { name: 'Reassign' }));
  await waitFor(() => expect(toasts).toEqual(['Reassignment failed | 409: Business is already assigned to this user']));
  expect(server.last(bulkReassign)?.body).toEqual({ ids: [1, 3], newUserId: 2 });
  expect(screen.getByRole('dialog', { name: 'Reassign Businesses' })).toBeVisible();
});

test('the dialog reports that users cannot be loaded, or that there is no other user', async () => {
  const opened = await selectTwo();
  opened.server.refuses(listUsersForReassignment, 'internal', 'Something went wrong');
  await pick('Reassign');
  expect(await screen.findByText('Users could not be loaded')).toBeVisible();
  opened.server.responds(listUsersForReassignment, assignees.slice(0, 1));
  await press('Try Again');
  expect(await screen.findByText('There is nobody else to hand these businesses to.')).toBeVisible();
});

test.each([ada, bob])('a $role has the menu', async (as) => {
  await openList([aLeadItem(1)], { as });
  await tick('Shop 1');
  expect(screen.getByRole('button', { name: 'Bulk Actions' })).toBeVisible();
});

test.each([
  ['Reassign', 'Reassign 1 selected business to another user.'],
  ['Plan follow-up', 'A call is planned for 1 selected business. One that is planned already is moved.'],
  ['Add tag', 'Adds the tag to 1 selected business. Where it is there already, nothing changes.'],
])('%s says how many businesses, also of one', async (action, text) => {
  const { server } = await openList([aLeadItem(1)]);
  server.responds(listUsersForReassignment, assignees);
  await tick('Shop 1');
  await press('Bulk Actions');
  await pick(action);
  expect(await screen.findByText(text)).toBeVisible();
});

test('a follow-up is planned for the selected leads', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-17T09:00:00Z') });
  const { server, toasts } = await selectTwo();
  server.responds(bulkPlanFollowUp, bulkResults(2));
  await pick('Plan follow-up');
  const dialog = within(await screen.findByRole('dialog', { name: 'Plan follow-up' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'In a week' }));
  await waitFor(() => expect(toasts).toContain('Follow-up planned for 2 businesses'));
  expect(server.last(bulkPlanFollowUp)?.body).toEqual({
    ids: [1, 3],
    type: 'call',
    note: '',
    at: '2026-11-24T10:00:00.000Z',
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the notes of a reassignment survive Escape and leaving the list, and Cancel discards them', async () => {
  const { dialog, unmount } = await openReassign();
  await userEvent.type(dialog.getByRole('textbox', { name: 'Notes' }), 'moved north');
  await userEvent.keyboard('{Escape}');
  dismissToast();
  unmount();
  expect(pageToasts.current()?.title).toBe('Draft kept');

  // The selection is stored as well.
  sessionStorage.clear();
  const again = await openReassign();
  expect(again.dialog.getByRole('textbox', { name: 'Notes' })).toHaveValue('moved north');
  await userEvent.click(again.dialog.getByRole('button', { name: 'Cancel' }));
  expect(readDraft(ada.id, 'leads.reassign')).toBeUndefined();
});

describe('after a bulk change', () => {
  const PLANNED = { nextStepAt: '2026-11-17T10:00:00.000Z', nextStepType: 'call' as const };
  const offer = () => within(screen.getByRole('region', { name: 'Follow-ups' }));

  async function selectAll() {
    const opened = await openList([
      aLeadItem(1, PLANNED),
      aLeadItem(2),
      aLeadItem(3, PLANNED),
      aLeadItem(4),
      aLeadItem(5),
    ]);
    for (const name of ['Shop 1', 'Shop 2', 'Shop 3', 'Shop 4', 'Shop 5']) await tick(name);
    await press('Bulk Actions');
    return opened;
  }
  const setStatus = async (status: string) => {
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Update Status' }));
    await pick(status);
  };

  test('Recontact offers a time for the leads that were changed and have none', async () => {
    const { server, toasts } = await selectAll();
    server.responds(bulkUpdateStatus, bulkResults(4, [{ id: 2, message: 'Assigned to another user' }]));
    server.responds(bulkPlanFollowUp, bulkResults(2));
    await setStatus('Recontact');
    expect(await screen.findByText('When will you contact these 2 businesses again?')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await userEvent.click(await offer().findByRole('button', { name: 'In a week' }));
    await waitFor(() => expect(toasts.at(-1)).toBe('Follow-up planned for 2 businesses'));
    expect(server.last(bulkPlanFollowUp)?.body).toMatchObject({ ids: [4, 5], type: 'call' });
    expect(screen.queryByRole('region', { name: 'Follow-ups' })).toBeNull();
  });

  test.each(['Closed (Won)', 'Archive'])('%s offers to drop what is planned', async (action) => {
    const { server, toasts } = await selectAll();
    server.responds(bulkUpdateStatus, bulkResults(5));
    server.responds(bulkArchive, bulkResults(5));
    server.responds(bulkDropFollowUps, bulkResults(2));
    await (action === 'Archive' ? pick(action) : setStatus(action));
    expect(await screen.findByText('2 of these businesses have a planned follow-up.')).toBeVisible();
    await userEvent.click(offer().getByRole('button', { name: 'Drop 2 planned follow-ups' }));
    await waitFor(() => expect(toasts.at(-1)).toBe('2 planned follow-ups dropped'));
    expect(server.last(bulkDropFollowUps)?.body).toEqual({ ids: [1, 3] });
    expect(screen.getByText(/results found/)).toHaveFocus();
  });

  test('what is planned is kept by default, and nothing is offered where nothing is planned', async () => {
    const { server } = await selectAll();
    server.responds(bulkArchive, bulkResults(3));
    await pick('Archive');
    await screen.findByText('2 of these businesses have a planned follow-up.');
    await press('Keep them');
    expect(screen.queryByRole('region', { name: 'Follow-ups' })).toBeNull();
    await tick('Shop 2');
    await press('Bulk Actions');
    await pick('Archive');
    await waitFor(() => expect(server.last(bulkArchive)?.body).toEqual({ ids: [2] }));
    await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
    expect(screen.queryByRole('region', { name: 'Follow-ups' })).toBeNull();
  });
});
