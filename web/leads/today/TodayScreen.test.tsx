import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import { completeFollowUp, planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { getToday, type TodayLead } from '#contract/leads/today/today.calls.ts';
import { getTrip } from '#contract/leads/trip/trip.calls.ts';
import { readQueue } from '#web/leads/work-queue/work-queue.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aLead, aLeadItem, SETTINGS } from '#web/testing/fixtures.ts';
import { enableKeys } from '#web/testing/keyboard.ts';
import { anActivity, aProfile } from '#web/testing/lead-profile.tsx';
import { show } from '#web/testing/show.tsx';
import { aTrip, aTripStop } from '#web/testing/trips.ts';
import { TodayScreen } from './TodayScreen.tsx';

type Day = ResponseBody<typeof getToday>;
const EMPTY: Day['due'] = { count: 0, leads: [] };
const EMPTY_DAY: Day = { overdue: EMPTY, due: EMPTY, new: EMPTY, loose: EMPTY, quiet: EMPTY, later: EMPTY };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T09:00:00Z') });
});

const aTodayLead = (n: number, lead: Partial<Lead> = {}, more: Partial<TodayLead> = {}): TodayLead => ({
  ...aLeadItem(n, lead, { phone: '020 7946 0018' }),
  latestActivity: null,
  followUp: null,
  ...more,
});

const planned = (n: number, at: string): TodayLead =>
  aTodayLead(
    n,
    { nextStepAt: at, nextStepType: 'call' },
    { followUp: { id: 40 + n, type: 'call', at, note: `Note ${n}`, createdBy: 1 } },
  );

function showToday(day: Partial<Day>) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(getToday, { ...EMPTY_DAY, ...day });
  return { server, ...show(<TodayScreen />) };
}

const inSection = async (name: RegExp) => within(await screen.findByRole('region', { name }));

test('each section has its count and its leads, with the reason', async () => {
  showToday({
    overdue: { count: 1, leads: [planned(1, '2026-11-13T10:00:00.000Z')] },
    due: { count: 1, leads: [planned(2, '2026-11-16T16:00:00.000Z')] },
    new: { count: 60, leads: [aTodayLead(3, { assignedAt: '2026-11-15T09:00:00.000Z' })] },
    loose: { count: 1, leads: [aTodayLead(5, { lastContactedAt: '2026-11-14T09:00:00.000Z' })] },
    quiet: {
      count: 1,
      leads: [aTodayLead(4, { lastContactedAt: '2026-10-27T09:00:00.000Z', notes: 'Likes tea\nSugar' })],
    },
  });
  const overdue = await inSection(/^Overdue 1$/);
  expect(overdue.getByRole('link', { name: 'Shop 1' })).toHaveAttribute('href', expect.stringContaining('/business/'));
  expect(await overdue.findByText('Nov 13, 10:00')).toBeVisible();
  expect(overdue.getByText('Note 1')).toBeVisible();
  expect(overdue.getByText('Leeds')).toBeVisible();
  expect(overdue.getByRole('link', { name: '020 7946 0018' })).toHaveAttribute('href', 'tel:02079460018');
  expect((await inSection(/^Due today 1$/)).getByText('Today 16:00')).toBeVisible();
  expect((await inSection(/^New for you 60$/)).getByText('Assigned 1 day ago')).toBeVisible();
  const loose = await inSection(/^Loose ends 1$/);
  expect(loose.getByText('Last contact 2 days ago')).toBeVisible();
  expect(loose.getByRole('button', { name: 'Plan follow-up' })).toBeVisible();
  expect((await inSection(/^Going quiet 1$/)).getByText('Last contact 20 days ago')).toBeVisible();
  expect(screen.getByText('Likes tea')).toBeVisible();
  expect(screen.getByText('The first 1 are shown; the others follow.')).toBeVisible();
  expect(screen.queryByRole('region', { name: /Later/ })).toBeNull();
});

test('a follow-up is done in place', async () => {
  const { server, toasts } = showToday({ due: { count: 1, leads: [planned(2, '2026-11-16T16:00:00.000Z')] } });
  server.responds(completeFollowUp, aLead(2));
  await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
  await waitFor(() => expect(toasts).toEqual(['Follow-up done']));
  expect(server.last(completeFollowUp)?.path).toBe('/api/follow-ups/42/complete');
  expect(server.times(getToday)).toBe(2);
});

test('a follow-up is moved in place, with its type and note', async () => {
  const { server, toasts } = showToday({ overdue: { count: 1, leads: [planned(1, '2026-11-13T10:00:00.000Z')] } });
  server.responds(planFollowUp.byUuid, aLead(1));
  await userEvent.click(await screen.findByRole('button', { name: 'Move' }));
  const times = within(screen.getByRole('group', { name: 'When to follow up with Shop 1' }));
  await userEvent.click(times.getByRole('button', { name: 'In a week' }));
  await waitFor(() => expect(toasts).toEqual(['Follow-up planned']));
  expect(server.last(planFollowUp.byUuid)?.body).toEqual({
    type: 'call',
    note: 'Note 1',
    at: '2026-11-23T10:00:00.000Z',
  });
  expect(screen.queryByRole('group', { name: /When to follow up/ })).toBeNull();
});

test('a contact is logged in place, and calling asks for its outcome', async () => {
  const { server, toasts } = showToday({ due: { count: 1, leads: [planned(2, '2026-11-16T16:00:00.000Z')] } });
  server.responds(logContact.byUuid, {
    activity: anActivity({ id: 51, outcome: 'no_answer' }),
    userBusiness: aLead(2),
  });
  const sheet = () => screen.findByRole('dialog', { name: 'Log contact' });
  await userEvent.click(await screen.findByRole('button', { name: 'Log' }));
  expect(await sheet()).toHaveAccessibleDescription('Shop 2');
  await userEvent.keyboard('1');
  await waitFor(() => expect(toasts).toEqual(['Logged: No answer']));
  expect(server.last(logContact.byUuid)?.body).toEqual({
    outcome: 'no_answer',
    note: '',
    next: { type: 'call', note: '', at: '2026-11-17T16:00:00.000Z' },
  });
  expect(server.times(getToday)).toBe(2);

  const number = screen.getByRole('link', { name: '020 7946 0018' });
  number.addEventListener('click', (event) => event.preventDefault());
  await userEvent.click(number);
  expect(await sheet()).toBeVisible();
});

test('a wrong number is shown as such and not offered', async () => {
  const lead = planned(2, '2026-11-16T16:00:00.000Z');
  showToday({ due: { count: 1, leads: [{ ...lead, business: { ...lead.business, phoneIsWrong: true } }] } });
  expect(await screen.findByText('Wrong number')).toBeVisible();
  expect(screen.getByText('020 7946 0018')).toBeVisible();
  expect(screen.queryByRole('link', { name: '020 7946 0018' })).toBeNull();
});

test('a trip that the user is on has a line that leads to it', async () => {
  const { server } = showToday({});
  server.responds(getTrip, { trip: aTrip([aTripStop(1, { done: true }), aTripStop(2), aTripStop(3)]) });
  const line = within(await screen.findByRole('region', { name: 'Your trip' }));
  expect(line.getByText(/1 of 3 stops done/)).toHaveTextContent('Your trip: 1 of 3 stops done; next: Shop 2');
  expect(line.getByRole('link', { name: 'Go on' })).toHaveAttribute('href', '/trip');
});

test('an empty day says what to do next', async () => {
  showToday({});
  expect(await screen.findByText('Nothing is due today')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open your leads' })).toHaveAttribute('href', '/crm');
  expect(screen.getByRole('link', { name: 'Search for businesses' })).toHaveAttribute('href', '/search');
});

test('a failure can be retried', async () => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.refuses(getToday, 'internal', 'Something went wrong');
  show(<TodayScreen />);
  expect(await screen.findByText('Your day could not be loaded')).toBeVisible();
  server.responds(getToday, EMPTY_DAY);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('Nothing is due today')).toBeVisible();
});

describe('what the next step needs is one touch away', () => {
  const step = (type: 'email' | 'meeting') =>
    aTodayLead(
      7,
      { nextStepAt: '2026-11-16T16:00:00.000Z', nextStepType: type, customFields: { email: 'sam@shop.example' } },
      { followUp: { id: 47, type, at: '2026-11-16T16:00:00.000Z', note: '', createdBy: 1 } },
    );

  test('an e-mail: the address', async () => {
    showToday({ due: { count: 1, leads: [step('email')] } });
    const link = await screen.findByRole('link', { name: 'sam@shop.example' });
    expect(link).toHaveAttribute('href', 'mailto:sam@shop.example');
    expect(screen.queryByRole('link', { name: '020 7946 0018' })).toBeNull();
  });

  test('a visit: the way there', async () => {
    showToday({ due: { count: 1, leads: [step('meeting')] } });
    const link = await screen.findByRole('link', { name: 'Directions' });
    expect(link).toHaveAttribute('href', expect.stringMatching(/^https:.*dir.*Shop%207/));
  });
});

describe('a finger on a row', () => {
  const open = async () => {
    showToday({ due: { count: 1, leads: [planned(2, '2026-11-16T16:00:00.000Z')] } });
    return screen.findByRole('listitem', { name: 'Shop 2' });
  };
  const swipe = (
    row: HTMLElement,
    { from = 200, by = 0, down = 0, pointerType = 'touch', end = fireEvent.pointerUp },
  ) => {
    const pointer = { pointerType, isPrimary: true };
    fireEvent.pointerDown(row, { ...pointer, clientX: from, clientY: 300 });
    for (const share of [0.25, 0.5, 0.75, 1]) {
      fireEvent.pointerMove(row, { ...pointer, clientX: from + by * share, clientY: 300 + down * share });
    }
    end(row, pointer);
  };

  test('to the right logs a contact', async () => {
    swipe(await open(), { by: 110 });
    expect(await screen.findByRole('dialog', { name: 'Log contact' })).toHaveAccessibleDescription('Shop 2');
  });

  test('to the left moves the follow-up', async () => {
    swipe(await open(), { by: -110 });
    expect(screen.getByRole('group', { name: 'When to follow up with Shop 2' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Move' })).toHaveAttribute('aria-expanded', 'true');
  });

  test.each([
    ['not far enough', { by: 60 }],
    ['down the page', { by: 90, down: 200 }],
    ['at the edge, which goes back', { from: 10, by: 110 }],
    ['that the browser takes to scroll', { by: 110, end: fireEvent.pointerCancel }],
    ['of a mouse, which selects text', { by: 110, pointerType: 'mouse' }],
  ])('%s does nothing', async (_, move) => {
    const row = await open();
    swipe(row, move);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('group', { name: /When to follow up/ })).toBeNull();
    expect(row.lastElementChild?.getAttribute('style') ?? '').toBe('');
  });
});

describe('by keys', () => {
  const names = ['Shop 1', 'Shop 2', 'Shop 3'];
  async function open() {
    const shown = showToday({
      overdue: { count: 1, leads: [planned(1, '2026-11-13T10:00:00.000Z')] },
      due: { count: 2, leads: [planned(2, '2026-11-16T16:00:00.000Z'), planned(3, '2026-11-16T16:30:00.000Z')] },
    });
    shown.server.responds(getLead.byUuid, aProfile());
    enableKeys();
    for (const name of names) await screen.findByRole('link', { name });
    return shown;
  }

  test('j and k go through all sections, x selects, and l logs a contact', async () => {
    await open();
    for (const name of [...names, 'Shop 3']) {
      await userEvent.keyboard('j');
      expect(screen.getByRole('link', { name })).toHaveFocus();
    }
    await userEvent.keyboard('xkx');
    expect(screen.getByRole('checkbox', { name: 'Select Shop 3' })).toBeChecked();
    expect(screen.getByRole('checkbox', { name: 'Select Shop 2' })).toBeChecked();
    expect(screen.getByRole('region', { name: 'Selection' })).toHaveTextContent('2 selected');
    await userEvent.keyboard('l');
    expect(await screen.findByRole('dialog', { name: 'Log contact' })).toHaveAccessibleDescription('Shop 2');
  });

  test('w works through the first section, or through what is selected', async () => {
    await open();
    await userEvent.keyboard('w');
    await waitFor(() => expect(readQueue(ada.id)).toMatchObject({ title: 'Overdue', origin: '/today' }));
    expect(readQueue(ada.id)?.leads).toHaveLength(1);
    await userEvent.keyboard('jjxjx');
    const bar = within(screen.getByRole('region', { name: 'Selection' }));
    await userEvent.click(bar.getByRole('button', { name: 'Work through 2' }));
    await waitFor(() => expect(readQueue(ada.id)?.title).toBe('Selected on Today'));
    expect(readQueue(ada.id)?.leads).toHaveLength(2);
  });
});
