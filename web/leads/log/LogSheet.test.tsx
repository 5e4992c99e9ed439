import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { DEFAULT_OUTCOMES, STANDARD_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { DEFAULT_TEAM_SETTINGS } from '#contract/settings/team-settings.ts';
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
const at = (day: number, hour = 10) => `2026-11-${day}T${hour}:00:00.000Z`;
/** On Monday, November 16, at 9:00. */
const OUTCOMES: Record<(typeof STANDARD_OUTCOMES)[number], { label: string; next?: object; shown: string }> = {
  no_answer: { label: 'No answer', next: { type: 'call', note: '', at: at(17, 16) }, shown: 'Tomorrow 16:00' },
  left_message: { label: 'Left message', next: { type: 'call', note: '', at: at(18) }, shown: 'Wed 10:00' },
  spoke: { label: 'Spoke, not now', next: { type: 'call', note: '', at: at(30) }, shown: 'Nov 30, 10:00' },
  call_back: { label: 'Call back…', next: { type: 'call', note: '', at: at(17) }, shown: 'Choose when' },
  not_interested: { label: 'Not interested', shown: 'Closed (Lost)' },
  wrong_number: {
    label: 'Wrong number',
    next: { type: 'note', note: 'Find the number', at: at(16, 16) },
    shown: 'Find the number',
  },
  interested: { label: 'Interested', next: { type: 'call', note: '', at: at(18) }, shown: 'Wed 10:00' },
  owner_away: { label: 'Owner away', next: { type: 'meeting', note: '', at: at(19, 16) }, shown: 'Thu 16:00' },
  met_owner: { label: 'Met the owner', next: { type: 'meeting', note: '', at: at(18) }, shown: 'Wed 10:00' },
  shut: { label: 'Shut', next: { type: 'meeting', note: '', at: at(17) }, shown: 'Tomorrow 10:00' },
};
const call = (day: number, hour?: number) => ({ type: 'call', note: '', at: at(day, hour) });

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

test('the outcomes are in their order with what they plan, and the first has the focus', async () => {
  await openSheet();
  const outcomes = within(within(sheet()).getByRole('group', { name: 'Outcome' })).getAllByRole('button');
  expect(outcomes).toHaveLength(STANDARD_OUTCOMES.length);
  for (const [index, { label, shown }] of Object.values(OUTCOMES).entries()) {
    expect(outcomes[index]).toHaveAccessibleName(label);
    expect(outcomes[index]).toHaveAccessibleDescription(shown);
  }
  expect(outcomes[0]).toHaveFocus();
  expect(sheet()).toHaveAccessibleDescription(bakery.name);
});

test("the times to call back name the team's zone where the viewer's clock differs", async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  await openSheet();
  const times = within(within(sheet()).getByRole('group', { name: 'When to follow up' }));
  for (const name of ['Today 16:00 GMT', 'Tomorrow 10:00 GMT', 'In a week']) {
    expect(times.getByRole('button', { name })).toBeVisible();
  }
});

test.each(STANDARD_OUTCOMES.map((outcome, index) => ({ outcome, ...OUTCOMES[outcome], key: (index + 1) % 10 })))(
  '$label by touch and by $key: it is saved at once with what it proposes, unless it needs a time',
  async ({ outcome, label, next, key }) => {
    const { sent, times, toasts } = await openSheet();
    await press(label);
    if (outcome === 'call_back') {
      expect(times()).toBe(0);
      expect(screen.getByText('When will you call back?')).toBeVisible();
      expect(button('Today 16:00')).toHaveFocus();
      await press('Tomorrow 10:00');
    }
    await expectClosed();
    const body = { outcome, note: '', ...(next && { next }) };
    expect(sent()).toEqual(body);
    expect(toasts).toEqual([`Logged: ${label.replace('…', '')}`]);
    expect(button('Log')).toHaveFocus();

    await press('Log');
    await userEvent.keyboard(String(key));
    if (outcome === 'call_back') await userEvent.keyboard('b');
    await waitFor(() => expect(times()).toBe(2));
    expect(sent()).toEqual(body);
  },
);

test('the third contact in a row without an answer plans a week ahead', async () => {
  const activities = [
    anActivity({ id: 4, outcome: 'no_answer' }),
    anActivity({ id: 3, type: 'note' }),
    anActivity({ id: 2, outcome: 'no_answer' }),
    anActivity({ id: 1, outcome: 'spoke' }),
  ];
  const { sent } = await openSheet({ activities });
  expect(button('No answer')).toHaveAccessibleDescription('Nov 23, 16:00');
  await press('No answer');
  await expectClosed();
  expect(sent()).toMatchObject({ next: { at: at(23, 16) } });
});

test("the outcomes have the team's words, and those that are not offered are left out", async () => {
  const outcomes = {
    ...DEFAULT_OUTCOMES,
    shut: { ...DEFAULT_OUTCOMES.shut, offered: false },
    no_answer: { ...DEFAULT_OUTCOMES.no_answer, label: 'Nobody there', next: null },
  };
  const { sent, toasts, times } = await openSheet({ teamSettings: { ...DEFAULT_TEAM_SETTINGS, outcomes } });
  expect(button('Nobody there')).toHaveAccessibleDescription('Nothing planned');
  expect(screen.queryByRole('button', { name: 'Shut' })).toBeNull();
  await userEvent.keyboard('0');
  expect(times()).toBe(0);
  await userEvent.keyboard('1');
  await expectClosed();
  expect(sent()).toEqual({ outcome: 'no_answer', note: '' });
  expect(toasts).toEqual(['Logged: Nobody there']);
});

test("an outcome of the team's own has the digit of one that is not offered, and none where all are taken", async () => {
  const own = { label: 'Sent a sample', reached: true, offered: true, next: { days: 3, counted: 'working' } } as const;
  const both = { ...DEFAULT_OUTCOMES, own_call_1: own, own_visit_1: { ...own, label: 'Left a leaflet' } };
  const outcomes = { ...both, met_owner: { ...both.met_owner, offered: false } };
  const { sent } = await openSheet({ teamSettings: { ...DEFAULT_TEAM_SETTINGS, outcomes } });
  expect(button('Sent a sample')).toHaveAttribute('aria-keyshortcuts', '9');
  expect(button('Sent a sample')).toHaveAccessibleDescription('Thu 10:00');
  expect(button('Left a leaflet')).not.toHaveAttribute('aria-keyshortcuts');
  await userEvent.keyboard('9');
  await expectClosed();
  expect(sent()).toEqual({ outcome: 'own_call_1', note: '', next: call(19) });
  await press('Log');
  await press('Left a leaflet');
  await expectClosed();
  expect(sent()).toEqual({ outcome: 'own_visit_1', note: '', next: { ...call(19), type: 'meeting' } });
});

describe('the note', () => {
  test('goes with the outcome, and its draft is deleted', async () => {
    const { sent } = await openSheet();
    await userEvent.type(note(), 'Rang at 9, 2 rings');
    expect(readDraft(priya.id, `${UUID}.log`)?.text).toBe('Rang at 9, 2 rings');
    await press('Left message');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'left_message', note: 'Rang at 9, 2 rings', next: call(18) });
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
    await press('Spoke, not now');
    await waitFor(() =>
      expect(toasts).toEqual(['Failed to log contact | 403: This business is assigned to another user']),
    );
    expect(note()).toHaveValue('Wants a quote');
  });

  test('is saved as "Spoke, not now" by Ctrl+Enter', async () => {
    const { sent } = await openSheet();
    await userEvent.type(note(), 'Wants a quote{Control>}{Enter}{/Control}');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'spoke', note: 'Wants a quote', next: call(30) });
  });
});

describe('the next step', () => {
  const chosen = () =>
    within(sheet())
      .getAllByRole('button', { pressed: true })
      .map(({ textContent }) => textContent);

  test('is what the outcome proposes, unless another is chosen by one key or touch', async () => {
    const { sent } = await openSheet();
    expect(chosen()).toEqual([expect.stringMatching(/^As proposed/)]);
    await press('Today 16:00');
    await userEvent.keyboard('b');
    expect(chosen()).toEqual([expect.stringMatching(/^Tomorrow 10:00/)]);
    expect(button('No answer')).toHaveAccessibleDescription('Tomorrow 10:00');
    await press('No answer');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'no_answer', note: '', next: call(17) });
  });

  test('can be nothing', async () => {
    const { sent } = await openSheet();
    await userEvent.keyboard('n');
    expect(button('No answer')).toHaveAccessibleDescription('Nothing planned');
    await userEvent.keyboard('1');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'no_answer', note: '' });
  });

  test('can be any time, and what is proposed again', async () => {
    const { sent } = await openSheet();
    await press('Pick…');
    fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: '2026-12-03T08:30' } });
    await press('Choose');
    expect(button('Dec 3, 08:30')).toBeVisible();
    await userEvent.click(button(/^As proposed/));
    await press('Shut');
    await expectClosed();
    expect(sent()).toMatchObject({ next: { at: at(17) } });
  });

  test('that is chosen already is when to call back', async () => {
    const { sent } = await openSheet();
    await press('Tomorrow 10:00');
    await press('Call back…');
    await expectClosed();
    expect(sent()).toEqual({ outcome: 'call_back', note: '', next: call(17) });
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
  await press('Spoke, not now');
  await expectClosed();
  expect(changes).toBe(1);
  lastUndo()?.();
  await waitFor(() => expect(toasts).toEqual(['Logged: Spoke, not now', 'Undone | 1 taken back']));
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
  await press('Spoke, not now');
  await expectClosed();
  const [first, second] = await within(await screen.findByRole('list', { name: 'Contact activities' })).findAllByRole(
    'listitem',
  );
  expect(first).toHaveTextContent(/^CallNo answer/);
  expect(second).toHaveTextContent(/^CallSpoke, not now.*Wants a quote$/);
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
