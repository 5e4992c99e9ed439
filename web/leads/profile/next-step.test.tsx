import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import * as calls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { archiveLead, changeLeadStatus, getLead, markExistingCustomer } from '#contract/leads/leads.calls.ts';
import { fakeNotification } from '#web/testing/fake-notification.ts';
import { bob, SETTINGS } from '#web/testing/fixtures.ts';
import {
  aProfile,
  button,
  lead,
  openProfile,
  otherUser,
  press,
  priya,
  profileServer,
  showLead,
} from '#web/testing/lead-profile.tsx';

const TOMORROW = '2026-11-17T10:00:00.000Z';
const PLANNED = { nextStepAt: TOMORROW, nextStepType: 'call' as const };
const followUp = { id: 41, type: 'call' as const, at: TOMORROW, note: 'Ask for Sam', createdBy: 7 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T09:00:00Z') });
});

async function openPlanned(changes: object = {}) {
  const opened = await openProfile({ lead: { ...PLANNED, ...changes }, followUp });
  await screen.findByText('Ask for Sam');
  return opened;
}

test('a follow-up is planned by one touch on a suggested time', async () => {
  const { server, toasts } = await openProfile();
  server.responds(calls.planFollowUp.byId, { ...lead, ...PLANNED });
  server.responds(calls.getFollowUp.byId, { followUp });
  expect(screen.getByText('Nothing is planned.')).toBeVisible();
  await press('Plan follow-up');
  const times = within(screen.getByRole('group', { name: 'When to follow up' }));
  expect(times.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Today 16:00',
    'Tomorrow 10:00',
    'In a week',
    'Pick…',
    'Cancel',
  ]);
  server.responds(getLead.byId, aProfile({ lead: PLANNED }));
  await userEvent.click(times.getByRole('button', { name: 'Tomorrow 10:00' }));
  await waitFor(() => expect(toasts).toEqual(['Follow-up planned']));
  expect(server.last(calls.planFollowUp.byId)?.body).toEqual({ at: TOMORROW });
  expect(await screen.findByText('Tomorrow 10:00')).toBeVisible();
});

test("any time can be picked, on the team's clock", async () => {
  const { server } = await openProfile();
  server.responds(calls.planFollowUp.byId, { ...lead, ...PLANNED });
  server.responds(calls.getFollowUp.byId, { followUp });
  await press('Plan follow-up');
  await press('Pick…');
  const field = screen.getByLabelText('Date and time');
  expect(field).toHaveFocus();
  expect(field).toHaveValue('2026-11-16T16:00');
  await userEvent.clear(field);
  expect(button('Plan')).toBeDisabled();
  await userEvent.type(field, '2027-06-12T09:30');
  await press('Plan');
  await waitFor(() => expect(server.last(calls.planFollowUp.byId)?.body).toEqual({ at: '2027-06-12T08:30:00.000Z' }));
});

test('Recontact is saved at once, then a date is offered in place', async () => {
  const { server, toasts } = await openProfile();
  server.responds(changeLeadStatus.byId, { ...lead, status: 'recontact' });
  server.responds(calls.planFollowUp.byId, { ...lead, ...PLANNED, status: 'recontact' });
  server.responds(calls.getFollowUp.byId, { followUp });
  await press('Recontact');
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  expect(screen.getByText('When will you contact them again?')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  await press('Tomorrow 10:00');
  await waitFor(() => expect(toasts).toEqual(['Status updated', 'Follow-up planned']));
  expect(screen.queryByText('When will you contact them again?')).toBeNull();
});

test('once Recontact is undone, no date is asked for', async () => {
  const { server, lastUndo } = await openProfile();
  server.responds(
    changeLeadStatus.byId,
    { ...lead, status: 'recontact' },
    { [BATCH_HEADER]: '11111111-1111-4111-8111-111111111111' },
  );
  await press('Recontact');
  await screen.findByText('When will you contact them again?');
  server.responds(undoChanges, { message: '1 taken back', takenBack: 1, deleted: 0, left: [], creditsKept: 0 });
  lastUndo()?.();
  await waitFor(() => expect(screen.queryByText('When will you contact them again?')).toBeNull());
});

test('Recontact without a date plans nothing', async () => {
  const { server } = await openProfile();
  server.responds(changeLeadStatus.byId, { ...lead, status: 'recontact' });
  await press('Recontact');
  await screen.findByText('When will you contact them again?');
  await press('No date');
  expect(screen.queryByText('When will you contact them again?')).toBeNull();
  expect(server.times(calls.planFollowUp.byId)).toBe(0);
});

test('moving keeps type and note', async () => {
  const { server } = await openPlanned();
  server.responds(calls.planFollowUp.byId, { ...lead, ...PLANNED });
  await press('Move');
  await press('In a week');
  await waitFor(() =>
    expect(server.last(calls.planFollowUp.byId)?.body).toEqual({
      type: 'call',
      note: 'Ask for Sam',
      at: '2026-11-23T10:00:00.000Z',
    }),
  );
});

test('a follow-up is done or dropped', async () => {
  const { server, toasts } = await openPlanned();
  server.responds(calls.completeFollowUp, lead);
  server.responds(calls.dropFollowUp, lead);
  await press('Done');
  await waitFor(() => expect(toasts).toEqual(['Follow-up done']));
  expect(server.last(calls.completeFollowUp)?.path).toBe('/api/follow-ups/41/complete');
});

test('one that another user completed meanwhile says so', async () => {
  const { server, toasts } = await openPlanned();
  server.refuses(calls.dropFollowUp, 'follow_up_completed', 'This follow-up is already completed');
  await press('Drop');
  await waitFor(() => expect(toasts).toEqual(['Failed to drop follow-up | 409: This follow-up is already completed']));
});

test('an overdue step is marked', async () => {
  await openPlanned({ nextStepAt: '2026-11-13T10:00:00.000Z' });
  expect(screen.getByText('Overdue:')).toBeInTheDocument();
  expect(await screen.findByText('Nov 13, 10:00')).toBeVisible();
});

test('a manager sees the next step of others and cannot change it', async () => {
  await openProfile({ lead: PLANNED, followUp, as: otherUser('manager') });
  expect(await screen.findByText('Tomorrow 10:00')).toBeVisible();
  for (const name of ['Done', 'Move', 'Drop', 'Plan follow-up']) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
});

describe('a lead with a follow-up', () => {
  test.each(['closed_won', 'closed_lost'] as const)('set to %s, offers in place to drop it', async (status) => {
    const { server, toasts } = await openPlanned();
    const closed = { ...lead, ...PLANNED, status };
    server.responds(changeLeadStatus.byId, closed);
    server.responds(getLead.byId, aProfile({ lead: { ...PLANNED, status } }));
    server.responds(calls.dropFollowUp, { ...lead, status });
    await press(LEAD_STATUS_LABEL[status]);
    expect(await screen.findByText('A follow-up is planned for Tomorrow 10:00.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('Keep it');
    expect(screen.queryByText(/A follow-up is planned/)).toBeNull();
    expect(server.times(calls.dropFollowUp)).toBe(0);

    server.responds(changeLeadStatus.byId, { ...closed, status: 'new' });
    server.responds(getLead.byId, aProfile({ lead: PLANNED }));
    await press('New Lead');
    await waitFor(() => expect(toasts).toHaveLength(2));
    server.responds(changeLeadStatus.byId, closed);
    server.responds(getLead.byId, aProfile({ lead: { ...PLANNED, status } }));
    await press(LEAD_STATUS_LABEL[status]);
    await userEvent.click(await screen.findByRole('button', { name: 'Drop it' }));
    await waitFor(() => expect(toasts.at(-1)).toBe('Follow-up dropped'));
    expect(server.last(calls.dropFollowUp)?.path).toBe('/api/follow-ups/41');
  });

  test.each([
    ['Archive Business', 'Archive', archiveLead],
    ['Mark as Existing Customer', 'Mark as Existing Customer', markExistingCustomer],
  ] as const)('%s asks in its dialog whether to drop it', async (action, confirm, call) => {
    const { server } = await openPlanned();
    server.responds(call.byId, lead);
    await press(action);
    const dialog = within(await screen.findByRole('dialog', { name: action }));
    await userEvent.click(dialog.getByRole('checkbox', { name: 'Drop the follow-up planned for Tomorrow 10:00' }));
    await userEvent.click(dialog.getByRole('button', { name: confirm }));
    await waitFor(() => expect(server.last(call.byId)?.body).toEqual({ dropFollowUp: true }));
  });
});

test('a lead without a follow-up is closed and archived without a question', async () => {
  const { server, toasts } = await openProfile();
  server.responds(changeLeadStatus.byId, { ...lead, status: 'closed_lost' });
  server.responds(archiveLead.byId, lead);
  await press('Closed (Lost)');
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  expect(screen.queryByText(/A follow-up is planned/)).toBeNull();
  await press('Archive Business');
  const dialog = within(await screen.findByRole('dialog', { name: 'Archive Business' }));
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Archive' }));
  await waitFor(() => expect(server.times(archiveLead.byId)).toBe(1));
  expect(server.last(archiveLead.byId)?.body).toBeUndefined();
});
describe('reminders in the browser', () => {
  const question = () => screen.queryByText('Be reminded in this browser?');
  async function planOne(userId: number) {
    const { server, toasts } = await openProfile();
    const browser = fakeNotification();
    server.responds(calls.planFollowUp.byId, { ...lead, ...PLANNED, userId });
    server.responds(calls.getFollowUp.byId, { followUp });
    const plan = async () => {
      await press('Plan follow-up');
      await press('Tomorrow 10:00');
      await waitFor(() => expect(toasts).toContain('Follow-up planned'));
    };
    expect(question()).toBeNull();
    await plan();
    return { ...browser, plan };
  }

  test('are offered after the first plan, and the browser asks only after "Allow"', async () => {
    const { requestPermission } = await planOne(priya.id);
    expect(question()).toBeVisible();
    expect(requestPermission).not.toHaveBeenCalled();
    await press('Allow');
    await waitFor(() => expect(question()).toBeNull());
    expect(requestPermission).toHaveBeenCalledTimes(1);
    expect(localStorage.getItem(`highstreet.browser-reminders.${priya.id}`)).toBe('on');
  });

  test('are not offered again after "Not now"', async () => {
    const { requestPermission } = await planOne(priya.id);
    await press('Not now');
    expect(question()).toBeNull();
    cleanup();
    await planOne(priya.id);
    expect(question()).toBeNull();
    expect(requestPermission).not.toHaveBeenCalled();
  });

  test("are not offered to an admin who plans for the lead's holder", async () => {
    await planOne(bob.id);
    expect(question()).toBeNull();
  });
});

test('a next step and times that cannot be loaded can be retried', async () => {
  const server = profileServer({ lead: PLANNED, followUp });
  server.refuses(calls.getFollowUp.byId, 'internal', 'Something went wrong');
  server.refuses(getSettings, 'internal', 'Something went wrong');
  showLead();
  expect(await screen.findByText('The next step could not be loaded.')).toBeVisible();
  server.responds(calls.getFollowUp.byId, { followUp });
  await press('Try Again');
  await userEvent.click(await screen.findByRole('button', { name: 'Move' }));
  expect(screen.getByText('The times could not be loaded.')).toBeVisible();
  server.responds(getSettings, SETTINGS);
  await press('Try Again');
  expect(await screen.findByRole('button', { name: 'In a week' })).toBeVisible();
});

test('a dropped follow-up gives the focus to planning the next, and a kept one to the status', async () => {
  const { server } = await openPlanned();
  server.responds(changeLeadStatus.byId, { ...lead, ...PLANNED, status: 'closed_won' });
  server.responds(getLead.byId, aProfile({ lead: { ...PLANNED, status: 'closed_won' } }));
  await press('Closed (Won)');
  await userEvent.click(await screen.findByRole('button', { name: 'Keep it' }));
  expect(button('Closed (Won)')).toHaveFocus();

  server.responds(calls.dropFollowUp, { ...lead, status: 'closed_won' });
  server.responds(getLead.byId, aProfile({ lead: { status: 'closed_won' } }));
  await press('Drop');
  await waitFor(() => expect(button('Plan follow-up')).toHaveFocus());
});
