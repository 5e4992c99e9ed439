import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { activityOutcome } from '#contract/leads/follow-ups/follow-up.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { onStatusChanged } from '#web/progress/progress.data.ts';
import {
  anActivity,
  aProfile,
  bakery,
  button,
  lead,
  openProfile,
  otherUser,
  press,
  priya,
  UUID,
} from '#web/testing/lead-profile.tsx';

const TOMORROW = '2026-11-17T10:00:00.000Z';
const LABELS = ['No answer', 'Left message', 'Spoke', 'Call back…', 'Not interested', 'Wrong number'];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T09:00:00Z') });
});

const sheet = () => screen.getByRole('dialog', { name: 'Log contact' });
const note = () => within(sheet()).getByRole('textbox', { name: 'Note' });
const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function openSheet(options: Parameters<typeof openProfile>[0] = {}) {
  const opened = await openProfile(options);
  const { server } = opened;
  server.handles(logContact.byId, ({ body }) => {
    const { outcome } = body as { outcome: string };
    return Response.json({ activity: anActivity({ id: 51, outcome }), userBusiness: lead }, { status: 201 });
  });
  await press('Log');
  await within(sheet()).findByRole('group', { name: 'When to follow up' });
  return { ...opened, sent: () => server.last(logContact.byId)?.body, times: () => server.times(logContact.byId) };
}

test('the outcomes are in their order, and the first has the focus', async () => {
  await openSheet();
  const outcomes = within(within(sheet()).getByRole('group', { name: 'Outcome' })).getAllByRole('button');
  expect(outcomes.map((outcome) => outcome.textContent?.replace(/\d$/, ''))).toEqual(LABELS);
  expect(outcomes[0]).toHaveFocus();
  expect(sheet()).toHaveAccessibleDescription(bakery.name);
});

test("the times to call back name the team's zone where the viewer's clock differs", async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  await openSheet();
  const times = within(within(sheet()).getByRole('group', { name: 'When to follow up' })).getAllByRole('button');
  expect(times.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Today 16:00 GMT', 'Tomorrow 10:00 GMT', 'In a week']),
  );
});

test.each(activityOutcome.options.map((outcome, index) => ({ outcome, label: LABELS[index] ?? '', key: index + 1 })))(
  '$label by touch and by $key: it is saved at once, unless it needs a time',
  async ({ outcome, label, key }) => {
    const { sent, times, toasts } = await openSheet();
    await press(label);
    if (outcome === 'call_back') {
      expect(times()).toBe(0);
      expect(screen.getByText('When will you call back?')).toBeVisible();
      expect(button('Today 16:00')).toHaveFocus();
      await press('Tomorrow 10:00');
    }
    await expectClosed();
    const body = { outcome, note: '', ...(outcome === 'call_back' && { next: { at: TOMORROW } }) };
    expect(sent()).toEqual(body);
    expect(toasts).toEqual([`Logged: ${label.replace('…', '')}`]);
    expect(button('Log')).toHaveFocus();

    await press('Log');
    await userEvent.keyboard(String(key));
    if (outcome === 'call_back') await press('Tomorrow 10:00');
    await waitFor(() => expect(times()).toBe(2));
    expect(sent()).toEqual(body);
  },
);

describe('the note', () => {
  test('goes with the outcome, and its draft is deleted', async () => {
    const { sent } = await openSheet();
    await userEvent.type(note(), 'Rang at 9, 2 rings');
    expect(readDraft(priya.id, `${UUID}.log`)?.text).toBe('Rang at 9, 2 rings');
    await press('Left message');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'left_message', note: 'Rang at 9, 2 rings' });
    expect(readDraft(priya.id, `${UUID}.log`)).toBeUndefined();
  });

  test('survives closing the sheet and a failure', async () => {
    const { server, toasts } = await openSheet();
    await userEvent.type(note(), 'Wants a quote');
    await userEvent.keyboard('{Escape}');
    await expectClosed();
    await press('Log');
    expect(note()).toHaveValue('Wants a quote');
    server.refuses(logContact.byId, 'not_your_lead', 'This business is assigned to another user');
    await press('Spoke');
    await waitFor(() =>
      expect(toasts).toEqual(['Failed to log contact | 403: This business is assigned to another user']),
    );
    expect(note()).toHaveValue('Wants a quote');
  });

  test('is saved as "Spoke" by Ctrl+Enter', async () => {
    const { sent } = await openSheet();
    await userEvent.type(note(), 'Wants a quote{Control>}{Enter}{/Control}');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'spoke', note: 'Wants a quote' });
  });
});

describe('the next step', () => {
  test('is chosen before the outcome, and can be removed', async () => {
    const { sent } = await openSheet();
    await press('Tomorrow 10:00');
    await press('Remove');
    await press('Tomorrow 10:00');
    await press('No answer');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'no_answer', note: '', next: { at: TOMORROW } });
  });

  test('that is chosen already is when to call back', async () => {
    const { sent } = await openSheet();
    await press('Tomorrow 10:00');
    await press('Call back…');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'call_back', note: '', next: { at: TOMORROW } });
  });

  test('is left out for a business that is not interested', async () => {
    const { sent } = await openSheet();
    await press('Tomorrow 10:00');
    await press('Not interested');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'not_interested', note: '' });
  });
});

test('the toast undoes it with one request, and the meters are refetched both times', async () => {
  const { server, toasts, lastUndo } = await openSheet();
  let changes = 0;
  const unsubscribe = onStatusChanged(() => {
    changes += 1;
  });
  const batch = '11111111-1111-4111-8111-111111111111';
  const logged = { activity: anActivity({ id: 51, outcome: 'spoke' }), userBusiness: lead };
  server.responds(logContact.byId, logged, { [BATCH_HEADER]: batch });
  server.responds(undoChanges, { message: '1 taken back', takenBack: 1, deleted: 0, left: [], creditsKept: 0 });
  await press('Spoke');
  await expectClosed();
  expect(changes).toBe(1);
  lastUndo()?.();
  await waitFor(() => expect(toasts).toEqual(['Logged: Spoke', 'Undone | 1 taken back']));
  expect(server.last(undoChanges)?.path).toBe(`/api/changes/${batch}/undo?background=true`);
  expect(changes).toBe(2);
  unsubscribe();
});

test('an open follow-up is named, which the contact completes', async () => {
  await openSheet({ lead: { nextStepAt: TOMORROW, nextStepType: 'call' } });
  expect(within(sheet()).getByText('This completes the follow-up planned for Tomorrow 10:00.')).toBeVisible();
});

test('a number found to be wrong is marked on the profile at once', async () => {
  const { server } = await openSheet();
  server.holds(getLead.byId);
  await press('Wrong number');
  await expectClosed();
  expect(screen.getByText('Wrong number')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Call' })).toBeNull();
});

test('the activity shows its outcome, with or without a note', async () => {
  const { server } = await openSheet();
  const activities = [
    anActivity({ id: 1, description: '', outcome: 'no_answer' }),
    anActivity({ id: 2, description: 'Wants a quote', outcome: 'spoke' }),
  ];
  server.responds(getLead.byId, aProfile({ activities }));
  await press('Spoke');
  await expectClosed();
  const [first, second] = await within(await screen.findByRole('list', { name: 'Contact activities' })).findAllByRole(
    'listitem',
  );
  expect(first).toHaveTextContent(/^CallNo answer/);
  expect(second).toHaveTextContent(/^CallSpoke.*Wants a quote$/);
});

test('a manager who does not hold the lead can call, and logs nothing', async () => {
  await openProfile({ as: otherUser('manager') });
  expect(screen.queryByRole('button', { name: 'Log' })).toBeNull();
  const call = screen.getByRole('link', { name: 'Call' });
  expect(call).toHaveAttribute('href', 'tel:02079460018');
  call.addEventListener('click', (event) => event.preventDefault());
  await userEvent.click(call);
  expect(screen.queryByRole('dialog')).toBeNull();
});
