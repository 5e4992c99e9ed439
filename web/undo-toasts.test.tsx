import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { AnyCall } from '#contract/call.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { DETAIL_FIELDS, DETAIL_KEYS } from '#contract/leads/fields/detail-fields.ts';
import * as followUpCalls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import * as listCalls from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { useCompleteFollowUp, useDropFollowUp, usePlanFollowUp } from '#web/leads/follow-ups/follow-ups.data.ts';
import * as bulk from '#web/leads/list/bulk/bulk.data.ts';
import { useLogContact } from '#web/leads/log/log.data.ts';
import * as profile from '#web/leads/profile/profile.data.ts';
import { useAssign } from '#web/search/assign/assign.data.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aLead, aPlace, aSearchResponse } from '#web/testing/fixtures.ts';
import {
  anActivity,
  aProfile,
  bakery,
  clearTab,
  lead,
  openProfile,
  otherUser,
  press,
} from '#web/testing/lead-profile.tsx';
import { show } from '#web/testing/show.tsx';

const BATCH = '11111111-1111-4111-8111-111111111111';
const UNDO_BATCH = '22222222-2222-4222-8222-222222222222';
const OUTCOME = { takenBack: 1, deleted: 0, left: [], creditsKept: 0 };

interface Change {
  call: AnyCall;
  response: unknown;
  /** Returns the function that makes the change. */
  useChange: () => () => unknown;
  toast: string;
}

const ref = { id: lead.id };
const at = '2026-11-17T10:00:00.000Z';
const results = { results: { success: 2, failed: 0, errors: [] } };
const ids = [1, 2];

const CHANGES: Change[] = [
  {
    toast: 'Status updated',
    call: calls.changeLeadStatus.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useChangeLeadStatus(ref);
      return () => mutate('recontact');
    },
  },
  ...DETAIL_KEYS.map((key) => ({
    toast: `${DETAIL_FIELDS[key].label} updated`,
    call: calls.changeCustomFields.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useChangeDetail(ref, key);
      return () => mutate('1');
    },
  })),
  {
    toast: 'Phone updated',
    call: calls.changePhone,
    response: bakery,
    useChange: () => {
      const { mutate } = profile.useChangePhone(bakery.id);
      return () => mutate('020 7946 0018');
    },
  },
  {
    toast: 'Number marked as right',
    call: calls.confirmPhone,
    response: bakery,
    useChange: () => {
      const { mutate } = profile.useConfirmPhone(bakery.id);
      return () => mutate();
    },
  },
  {
    toast: 'Type of business updated',
    call: calls.changeBusinessType,
    response: bakery,
    useChange: () => {
      const { mutate } = profile.useChangeBusinessType(bakery.id);
      return () => mutate('Bakery');
    },
  },
  {
    toast: 'Website updated',
    call: calls.changeWebsite,
    response: bakery,
    useChange: () => {
      const { mutate } = profile.useChangeWebsite(bakery.id);
      return () => mutate('https://corner.example');
    },
  },
  {
    toast: 'Tag added',
    call: calls.addTag.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useAddTag(ref);
      return () => mutate('VIP');
    },
  },
  {
    toast: 'Tag removed',
    call: calls.removeTag.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useRemoveTag(ref);
      return () => mutate('VIP');
    },
  },
  {
    toast: 'Business archived',
    call: calls.archiveLead.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useArchiveLead(ref);
      return () => mutate({ dropFollowUp: false });
    },
  },
  {
    toast: 'Business restored',
    call: calls.restoreLead.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useRestoreLead(ref);
      return () => mutate();
    },
  },
  {
    toast: 'Marked as existing customer',
    call: calls.markExistingCustomer.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useMarkCustomer(ref);
      return () => mutate({ dropFollowUp: false });
    },
  },
  {
    toast: 'Existing customer mark removed',
    call: calls.unmarkExistingCustomer.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useUnmarkCustomer(ref);
      return () => mutate();
    },
  },
  {
    toast: 'Business reassigned',
    call: calls.reassignLead.byId,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useReassignLead(ref);
      return () => mutate({ newUserId: 2, key: 'a' });
    },
  },
  {
    toast: 'Activity added',
    call: calls.addActivity.byId,
    response: anActivity({ id: 51 }),
    useChange: () => {
      const { mutate } = profile.useAddActivity(ref);
      return () => mutate({ type: 'call', notes: 'Spoke', key: 'a' });
    },
  },
  {
    toast: 'Activity deleted',
    call: calls.deleteActivity,
    response: lead,
    useChange: () => {
      const { mutate } = profile.useDeleteActivity(ref);
      return () => mutate(51);
    },
  },
  {
    toast: 'Logged: Spoke, not now',
    call: logContact.byId,
    response: { activity: anActivity({ id: 51, outcome: 'spoke' }), userBusiness: lead },
    useChange: () => {
      const { mutate } = useLogContact(ref, aProfile(), ada.id);
      return () => mutate({ outcome: 'spoke', note: '' });
    },
  },
  {
    toast: 'Follow-up planned',
    call: followUpCalls.planFollowUp.byId,
    response: lead,
    useChange: () => {
      const { mutate } = usePlanFollowUp(ref);
      return () => mutate({ at });
    },
  },
  {
    toast: 'Follow-up done',
    call: followUpCalls.completeFollowUp,
    response: lead,
    useChange: () => {
      const { mutate } = useCompleteFollowUp();
      return () => mutate({ followUpId: 4, body: { outcome: 'spoke' } });
    },
  },
  {
    toast: 'Follow-up dropped',
    call: followUpCalls.dropFollowUp,
    response: lead,
    useChange: () => {
      const { mutate } = useDropFollowUp();
      return () => mutate(4);
    },
  },
  {
    toast: '2 businesses archived successfully',
    call: listCalls.bulkArchive,
    response: results,
    useChange: () => {
      const { mutate } = bulk.useBulkArchive();
      return () => mutate({ ids });
    },
  },
  {
    toast: '2 businesses restored successfully',
    call: listCalls.bulkRestore,
    response: results,
    useChange: () => {
      const { mutate } = bulk.useBulkRestore();
      return () => mutate({ ids });
    },
  },
  {
    toast: 'Status updated for 2 businesses',
    call: listCalls.bulkUpdateStatus,
    response: results,
    useChange: () => {
      const { mutate } = bulk.useBulkStatus();
      return () => mutate({ ids, status: 'recontact' });
    },
  },
  {
    toast: '2 businesses reassigned successfully',
    call: listCalls.bulkReassign,
    response: results,
    useChange: () => {
      const { mutate } = bulk.useBulkReassign();
      return () => mutate({ ids, newUserId: 2 });
    },
  },
  {
    toast: 'Follow-up planned for 2 businesses',
    call: listCalls.bulkPlanFollowUp,
    response: results,
    useChange: () => {
      const { mutate } = bulk.useBulkPlanFollowUp();
      return () => mutate({ ids, type: 'call', note: '', at });
    },
  },
  {
    toast: '2 planned follow-ups dropped',
    call: listCalls.bulkDropFollowUps,
    response: results,
    useChange: () => {
      const { mutate } = bulk.useBulkDropFollowUps();
      return () => mutate({ ids });
    },
  },
  {
    toast: 'Success | 2 business(es) assigned successfully to Bob Cratchit',
    call: calls.assignBusiness,
    response: aLead(1),
    useChange: () => {
      const { mutate } = useAssign().assigning;
      return () => mutate({ userId: 2, userName: 'Bob Cratchit', businesses: [aPlace(1), aPlace(2)] });
    },
  },
];

function Changer({ useChange }: Pick<Change, 'useChange'>) {
  const change = useChange();
  return (
    <button type="button" onClick={() => void change()}>
      Change
    </button>
  );
}

async function make({ call, response, useChange }: Change, headers?: Record<string, string>, as: OwnUser = ada) {
  clearTab();
  const server = fakeServer();
  server.responds(searchBusinesses, aSearchResponse([]));
  server.responds(call, response as never, headers);
  const view = show(<Changer useChange={useChange} />, { as });
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  return { server, ...view };
}

describe.each(CHANGES)('"$toast"', (change) => {
  test('has "Undo" for the batch of the response', async () => {
    const { server, toasts, lastUndo } = await make(change, { [BATCH_HEADER]: BATCH });
    server.responds(undoChanges, { message: '1 taken back', ...OUTCOME }, { [BATCH_HEADER]: UNDO_BATCH });
    await waitFor(() => expect(toasts).toEqual([change.toast]));
    lastUndo()?.();
    await waitFor(() => expect(toasts).toEqual([change.toast, 'Undone | 1 taken back']));
    expect(server.last(undoChanges)?.path).toBe(`/api/changes/${BATCH}/undo?background=true`);
  });

  test('has no "Undo" where nothing changed', async () => {
    const { toasts, lastUndo } = await make(change);
    await waitFor(() => expect(toasts).toEqual([change.toast]));
    expect(lastUndo()).toBeUndefined();
  });
});

test.each(CHANGES.filter(({ toast }) => toast.includes('reassigned')))(
  '"$toast" has no "Undo" for a user who gave the lead away',
  async (change) => {
    const { toasts, lastUndo } = await make(change, { [BATCH_HEADER]: BATCH }, otherUser('user'));
    await waitFor(() => expect(toasts).toEqual([change.toast]));
    expect(lastUndo()).toBeUndefined();
  },
);

test('"Notes updated" has "Undo", and the notes are shown as they were', async () => {
  const { server, toasts, lastUndo } = await openProfile({ lead: { notes: 'Ask for Orla', notesVersion: 3 } });
  const changed = { ...lead, notes: 'Closed', notesVersion: 4 };
  server.responds(calls.changeLeadNotes.byId, changed, { [BATCH_HEADER]: BATCH });
  server.responds(undoChanges, { message: '1 taken back', ...OUTCOME });
  await userEvent.click(screen.getByRole('tab', { name: /^Notes/ }));
  const field = screen.getByRole('textbox', { name: 'Notes' });
  await userEvent.clear(field);
  await userEvent.type(field, 'Closed');
  await press(/^Save/);
  await waitFor(() => expect(toasts).toEqual(['Notes updated']));
  server.responds(calls.getLead.byId, aProfile({ lead: { notes: 'Ask for Orla', notesVersion: 5 } }));
  lastUndo()?.();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Notes' })).toHaveValue('Ask for Orla'));
});

test('a wrong status is taken back on the profile, and the undo can be undone', async () => {
  const { server, toasts, lastUndo } = await openProfile();
  const pressed = (name: string) => screen.findByRole('button', { name, pressed: true });
  server.responds(calls.changeLeadStatus.byId, { ...lead, status: 'closed_lost' }, { [BATCH_HEADER]: BATCH });
  server.responds(undoChanges, { message: '1 taken back', ...OUTCOME }, { [BATCH_HEADER]: UNDO_BATCH });
  await press('Closed (Lost)');
  await pressed('Closed (Lost)');
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  server.responds(calls.getLead.byId, aProfile());
  lastUndo()?.();
  await pressed('New Lead');
  await waitFor(() => expect(toasts.at(-1)).toBe('Undone | 1 taken back'));

  server.responds(calls.getLead.byId, aProfile({ lead: { status: 'closed_lost' } }));
  lastUndo()?.();
  await pressed('Closed (Lost)');
  expect(server.last(undoChanges)?.path).toBe(`/api/changes/${UNDO_BATCH}/undo?background=true`);
});

test('an undo that is refused says why, and what is on the screen is refetched', async () => {
  const { server, toasts, lastUndo } = await openProfile();
  server.responds(calls.changeLeadStatus.byId, { ...lead, status: 'recontact' }, { [BATCH_HEADER]: BATCH });
  server.refuses(undoChanges, 'not_undoable', 'Everything was changed since');
  await press('Recontact');
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  const reads = server.times(calls.getLead.byId);
  lastUndo()?.();
  await waitFor(() => expect(toasts.at(-1)).toBe('Failed to undo | 409: Everything was changed since'));
  await waitFor(() => expect(server.times(calls.getLead.byId)).toBe(reads + 1));
});

test('"Undo" pressed twice sends one request', async () => {
  const { server, toasts, lastUndo } = await openProfile();
  server.responds(calls.changeLeadStatus.byId, { ...lead, status: 'recontact' }, { [BATCH_HEADER]: BATCH });
  server.responds(undoChanges, { message: '1 taken back', ...OUTCOME });
  await press('Recontact');
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  const undo = lastUndo();
  undo?.();
  undo?.();
  await waitFor(() => expect(toasts.at(-1)).toBe('Undone | 1 taken back'));
  expect(server.times(undoChanges)).toBe(1);
});

test('"Undo" works after the profile was left', async () => {
  const { server, toasts, lastUndo, unmount } = await openProfile();
  server.responds(calls.changeLeadStatus.byId, { ...lead, status: 'recontact' }, { [BATCH_HEADER]: BATCH });
  server.responds(undoChanges, { message: '1 taken back', ...OUTCOME });
  await press('Recontact');
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  unmount();
  lastUndo()?.();
  await waitFor(() => expect(toasts.at(-1)).toBe('Undone | 1 taken back'));
});

test('a permanent deletion has no "Undo"', async () => {
  const { server, toasts, lastUndo } = await openProfile();
  server.responds(calls.deleteLead.byId, { message: 'Business deleted' });
  await press('Permanently Delete');
  await userEvent.click(screen.getAllByRole('button', { name: 'Permanently Delete' }).at(-1) as HTMLElement);
  await waitFor(() => expect(toasts).toEqual(['Business deleted']));
  expect(lastUndo()).toBeUndefined();
});
