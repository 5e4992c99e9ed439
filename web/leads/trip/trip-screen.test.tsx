import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import * as calls from '#contract/leads/trip/trip.calls.ts';
import type { TripStop } from '#contract/leads/trip/trip.ts';
import { toasts } from '#web/kit/toasts.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aLead, aLeadItem, aLeadProfile, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { anActivity, clearTab } from '#web/testing/lead-profile.tsx';
import { show } from '#web/testing/show.tsx';
import { aTrip, aTripStop, LEEDS, stubPosition, TRIP_ID } from '#web/testing/trips.ts';
import { TripScreen } from './TripScreen.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-19T09:00:00Z') });
  window.history.replaceState(null, '', '/trip');
  clearTab();
});

const FIVE = [aTripStop(1, { done: true }), aTripStop(2, { done: true }), aTripStop(3), aTripStop(4), aTripStop(5)];

/** A server whose profiles are those of the stops. */
function tripServer(stops: TripStop[] | null) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(calls.getTrip, { trip: stops && aTrip(stops) });
  server.handles(getLead.byUuid, ({ path }) => {
    const n = Number(path.split('-').at(-1));
    return Response.json(aLeadProfile(aLeadItem(n, {}, { phone: `0113 496 000${n}` })));
  });
  return server;
}

async function openTrip(stops: TripStop[] = FIVE, as = bob) {
  const server = tripServer(stops);
  const view = show(<TripScreen />, { as });
  const current = async () => within(await screen.findByRole('region', { name: 'Current stop' }));
  await screen.findByRole('region', { name: 'Stops' });
  return { server, current, ...view };
}

const list = () => within(screen.getByRole('region', { name: 'Stops' }));
const names = () =>
  list()
    .getAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const reorder = (order: number[]) => order.map((n) => FIVE[n - 1] as TripStop);

/** The server's answer to a contact on a stop, after which the stop is done. */
function logsAt(server: ReturnType<typeof fakeServer>, n: number, stops: TripStop[]) {
  const response = { activity: anActivity({ id: 51, outcome: 'met_owner' }), userBusiness: aLead(n) };
  server.responds(logContact.byUuid, response, { [BATCH_HEADER]: '11111111-1111-4111-8111-111111111111' });
  server.responds(calls.getTrip, {
    trip: aTrip(stops.map((stop) => (stop.id === n ? { ...stop, done: true } : stop))),
  });
}

test('without a trip, the screen says what one is and leads to the plan', async () => {
  tripServer(null);
  show(<TripScreen />, { as: bob });
  expect(await screen.findByRole('heading', { name: 'You are not on a trip' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Plan a trip' })).toHaveAttribute('href', '/crm?view=map&trip=choose');
});

test('a trip that cannot be loaded can be retried', async () => {
  const server = tripServer(null);
  server.refuses(calls.getTrip, 'internal', 'Something went wrong');
  show(<TripScreen />, { as: bob });
  expect(await screen.findByText('Your trip could not be loaded')).toBeVisible();
  server.responds(calls.getTrip, { trip: aTrip(FIVE) });
  await press('Try Again');
  expect(await screen.findByText('2 of 5 stops done')).toBeVisible();
});

test('the current stop is the first that is left, with the way there, the number and the outcomes', async () => {
  const stops = [...FIVE];
  stops[2] = aTripStop(3, { reason: { kind: 'due', at: '2026-11-12T10:00:00.000Z' } });
  const { current } = await openTrip(stops);
  const shown = await current();
  expect(await shown.findByRole('heading', { level: 2, name: 'Shop 3' })).toBeVisible();
  expect(shown.getByText('Stop 3 of 5')).toBeVisible();
  expect(shown.getByText('Overdue since Nov 12')).toBeVisible();
  expect(await shown.findByRole('link', { name: '0113 496 0003' })).toHaveAttribute('href', 'tel:01134960003');
  expect(shown.getByRole('link', { name: 'Directions' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^https:\/\/www\.google\.com\/maps\/dir\/\?api=1&destination=Shop%203/),
  );
  const outcomes = within(shown.getByRole('group', { name: 'Outcome' })).getAllByRole('button');
  const labels = outcomes.map(({ textContent }) => textContent);
  expect(labels.slice(0, 4).map((text) => text?.replace(/(Nov|Mon|Tomorrow|In |Nothing).*$/, ''))).toEqual([
    expect.stringContaining('Owner away'),
    expect.stringContaining('Met the owner'),
    expect.stringContaining('Shut'),
    expect.stringContaining('No answer'),
  ]);
  expect(outcomes[0], 'each keeps its digit').toHaveAttribute('aria-keyshortcuts', '8');
});

test('a stop without an address is found by its position', async () => {
  const { current } = await openTrip([aTripStop(1, { address: null })]);
  expect(await (await current()).findByRole('link', { name: 'Directions' })).toHaveAttribute(
    'href',
    'https://www.google.com/maps/dir/?api=1&destination=53.81000,-1.55000',
  );
});

test('the list says what is done, where the user is, and why each stop is there', async () => {
  await openTrip();
  expect(names()).toEqual(['Shop 1', 'Shop 2', 'Shop 3', 'Shop 4', 'Shop 5']);
  const items = list().getAllByRole('listitem');
  expect(within(items[0] as HTMLElement).getByText('Done')).toBeVisible();
  expect(within(items[0] as HTMLElement).queryByRole('button')).toBeNull();
  expect(items[2]).toHaveAttribute('aria-current', 'step');
  expect(within(items[4] as HTMLElement).getByText('3.4 miles away')).toBeVisible();
  expect(within(items[4] as HTMLElement).getByText('0.7 miles from stop 4')).toBeVisible();
  expect(screen.getByText('2 of 5 stops done')).toBeVisible();
});

describe('an outcome', () => {
  test('is logged with what was typed, and leads on to the next stop, whose name has the focus', async () => {
    const { server, current, toasts: shown } = await openTrip();
    const note = await (await current()).findByRole('textbox', { name: 'Note' });
    await userEvent.type(note, 'Wants a brochure');
    logsAt(server, 3, FIVE);
    await press(/^Met the owner/);
    const heading = await screen.findByRole('heading', { level: 2, name: 'Shop 4' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(server.last(logContact.byUuid)).toMatchObject({
      path: `/api/business-log-by-uuid/${aLead(3).uuid}`,
      body: { outcome: 'met_owner', note: 'Wants a brochure' },
    });
    expect(screen.getByText('3 of 5 stops done')).toBeVisible();
    expect(shown).toEqual(['Logged: Met the owner']);
    expect(await (await current()).findByRole('textbox', { name: 'Note' })).toHaveValue('');
  });

  test('that is undone leads back to its stop', async () => {
    const { server, lastUndo } = await openTrip();
    logsAt(server, 3, FIVE);
    await userEvent.click(await screen.findByRole('button', { name: /^Shut/ }));
    await screen.findByRole('heading', { level: 2, name: 'Shop 4' });
    server.responds(undoChanges, { message: 'Undone', job: null } as never);
    server.responds(calls.getTrip, { trip: aTrip(FIVE) });
    lastUndo()?.();
    expect(await screen.findByRole('heading', { level: 2, name: 'Shop 3' })).toBeVisible();
    expect(screen.getByText('2 of 5 stops done')).toBeVisible();
  });

  test('that is refused stays on the stop with what was typed', async () => {
    const { server, current, toasts: shown } = await openTrip();
    server.refuses(logContact.byUuid, 'internal', 'Something went wrong');
    const note = await (await current()).findByRole('textbox', { name: 'Note' });
    await userEvent.type(note, 'Ring again');
    await press(/^Owner away/);
    await waitFor(() => expect(shown).toEqual(['Failed to log contact | 500: Something went wrong']));
    expect(note).toHaveValue('Ring again');
    expect(screen.getByRole('heading', { level: 2, name: 'Shop 3' })).toBeVisible();
  });

  test('of the last stop ends what is left', async () => {
    const stops = [aTripStop(1, { done: true }), aTripStop(2)];
    const { server } = await openTrip(stops);
    logsAt(server, 2, stops);
    await userEvent.click(await screen.findByRole('button', { name: /^Met the owner/ }));
    await waitFor(() => expect(screen.getByRole('heading', { name: 'All 2 stops done' })).toHaveFocus());
    server.responds(calls.endTrip, { trip: null });
    await press('End trip');
    expect(await screen.findByRole('heading', { name: 'You are not on a trip' })).toBeVisible();
    expect(toasts.current()).toMatchObject({ title: 'Trip ended', description: '2 of 2 stops done.' });
  });
});

describe('the log sheet', () => {
  const sheet = () => screen.queryByRole('dialog', { name: 'Log contact' });
  /** The telephone of a phone covers the page, and gives it back. */
  const leaveAndReturn = () => {
    for (const state of ['hidden', 'visible'] as const) {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      fireEvent(document, new Event('visibilitychange'));
    }
  };

  test('opens once when the user returns from a call, and not from elsewhere', async () => {
    const { current } = await openTrip();
    const number = await (await current()).findByRole('link', { name: '0113 496 0003' });
    number.addEventListener('click', (event) => event.preventDefault());
    leaveAndReturn();
    expect(sheet()).toBeNull();
    await userEvent.click(number);
    expect(sheet()).toBeNull();
    leaveAndReturn();
    expect(await screen.findByRole('dialog', { name: 'Log contact' })).toHaveAccessibleDescription('Shop 3');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(sheet()).toBeNull());
    leaveAndReturn();
    expect(sheet()).toBeNull();
  });

  test('is one touch away for another next step', async () => {
    await openTrip();
    await userEvent.click(await screen.findByRole('button', { name: 'Other step…' }));
    expect(await screen.findByRole('dialog', { name: 'Log contact' })).toBeVisible();
  });
});

test('checking in records the arrival; pressed again, it is taken back', async () => {
  const { server } = await openTrip();
  const button = await screen.findByRole('button', { name: 'Check in' });
  server.responds(calls.checkIn, aTrip(FIVE.with(2, aTripStop(3, { arrivedAt: '2026-11-19T09:12:00.000Z' }))));
  await userEvent.click(button);
  await waitFor(() => expect(button).toHaveAccessibleName('Checked in 09:12'));
  expect(button).toHaveAttribute('aria-pressed', 'true');
  expect(button).toHaveFocus();
  expect(server.last(calls.checkIn)).toMatchObject({ path: `/api/trip/${TRIP_ID}/stops/3`, body: { arrived: true } });
  expect(list().getByText('Arrived 09:12')).toBeVisible();
  server.responds(calls.checkIn, aTrip(FIVE));
  await userEvent.click(button);
  await waitFor(() => expect(button).toHaveAccessibleName('Check in'));
  expect(server.last(calls.checkIn)?.body).toEqual({ arrived: false });
});

describe('the stops that are left', () => {
  test('are moved among themselves by buttons, which keep the focus', async () => {
    const { server } = await openTrip();
    const held = server.holds(calls.changeStops);
    await press('Move Shop 5 up');
    expect(names(), 'before the server has responded').toEqual(['Shop 1', 'Shop 2', 'Shop 3', 'Shop 5', 'Shop 4']);
    expect(screen.getByRole('button', { name: 'Move Shop 5 up' })).toHaveFocus();
    held.respond(aTrip(reorder([1, 2, 3, 5, 4])));
    await waitFor(() => expect(server.times(calls.changeStops)).toBe(1));
    server.responds(calls.changeStops, aTrip(reorder([1, 2, 5, 3, 4])));
    await press('Move Shop 5 up');
    expect(server.last(calls.changeStops)).toMatchObject({ path: `/api/trip/${TRIP_ID}/stops` });
    await waitFor(() => expect(server.last(calls.changeStops)?.body).toEqual({ stops: [1, 2, 5, 3, 4] }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Shop 5' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Move Shop 5 up' }), 'those done keep their place').toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });

  test('are dropped, which can be undone', async () => {
    const { server } = await openTrip();
    server.responds(calls.changeStops, aTrip(reorder([1, 2, 4, 5])));
    await press('Drop Shop 3');
    expect(names()).toEqual(['Shop 1', 'Shop 2', 'Shop 4', 'Shop 5']);
    expect(await screen.findByRole('heading', { level: 2, name: 'Shop 4' })).toBeVisible();
    await waitFor(() => expect(toasts.current()).toMatchObject({ title: 'Dropped Shop 3' }));
    server.responds(calls.changeStops, aTrip(FIVE));
    toasts.current()?.onUndo?.();
    expect(await screen.findByRole('heading', { level: 2, name: 'Shop 3' })).toBeVisible();
    expect(server.last(calls.changeStops)?.body).toEqual({ stops: [1, 2, 3, 4, 5] });
  });

  test('are read again where a change is refused', async () => {
    const { server, toasts: shown } = await openTrip();
    server.refuses(calls.changeStops, 'not_found', 'This trip has ended');
    server.responds(calls.getTrip, { trip: null });
    await press('Drop Shop 4');
    expect(await screen.findByRole('heading', { name: 'You are not on a trip' })).toBeVisible();
    expect(shown).toEqual(['The trip could not be changed | 404: This trip has ended']);
  });

  test('are ordered again from where the user is', async () => {
    stubPosition({ latitude: LEEDS.latitude + 0.051, longitude: LEEDS.longitude });
    const { server } = await openTrip();
    server.responds(calls.changeStops, aTrip(reorder([1, 2, 5, 4, 3])));
    await press('Order again from here');
    await waitFor(() => expect(server.last(calls.changeStops)?.body).toEqual({ stops: [1, 2, 5, 4, 3] }));
    await waitFor(() => expect(toasts.current()).toMatchObject({ title: 'Ordered again from your position' }));
  });

  test('are ordered at once on a page that was loaded for it, and only once', async () => {
    window.history.replaceState(null, '', '/trip?order=here');
    stubPosition({ latitude: LEEDS.latitude + 0.051, longitude: LEEDS.longitude });
    const server = tripServer(FIVE);
    server.responds(calls.changeStops, aTrip(reorder([1, 2, 5, 4, 3])));
    show(<TripScreen />, { as: bob });
    expect(await screen.findByRole('heading', { level: 2, name: 'Shop 5' })).toBeVisible();
    expect(window.location.search).toBe('');
    expect(server.times(calls.changeStops)).toBe(1);
  });

  test.each([
    [{ code: 1 }, 'Your browser does not share your position. Allow it in its settings, or move the stops yourself.'],
    [{ code: 2 }, 'Your position was not found. Try again, or move the stops yourself.'],
    [undefined, 'This browser shares no position with this page. Please move the stops yourself.'],
  ])('stay as they are without a position (%o), and the page says why', async (answer, message) => {
    stubPosition(answer);
    const { server } = await openTrip();
    await press('Order again from here');
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(server.times(calls.changeStops)).toBe(0);
  });
});

test('stops are added on the map of leads', async () => {
  await openTrip();
  expect(screen.getByRole('link', { name: 'Add stops on the map' })).toHaveAttribute('href', '/crm?view=map');
});

test('the map has the numbered stops, which lead to the list', async () => {
  await openTrip();
  expect(await screen.findByRole('button', { name: 'Stop 1: Shop 1, done' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Stop 4: Shop 4' }));
  expect(list().getByRole('link', { name: 'Shop 4' })).toHaveFocus();
});

test('a trip with stops left is ended after a question', async () => {
  const { server } = await openTrip();
  await press('End trip');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'End this trip?' }));
  expect(dialog.getByText('3 stops are left. What you have logged stays.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(server.times(calls.endTrip)).toBe(0);
  await press('End trip');
  server.responds(calls.endTrip, { trip: null });
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'End trip' }));
  expect(await screen.findByRole('heading', { name: 'You are not on a trip' })).toBeVisible();
  expect(server.last(calls.endTrip)?.path).toBe(`/api/trip/${TRIP_ID}`);
});

test("a manager's stop that another user holds shows no outcomes", async () => {
  const { current } = await openTrip([aTripStop(1)], { ...bob, id: 999, role: 'manager' });
  const shown = await current();
  expect(await shown.findByText(/Bob Cratchit holds this business/)).toBeVisible();
  expect(shown.queryByRole('group', { name: 'Outcome' })).toBeNull();
  expect(shown.getByRole('link', { name: 'Directions' })).toBeVisible();
});

test('a trip whose leads have all left it says so', async () => {
  const { server } = await openTrip([]);
  expect(screen.getByRole('heading', { name: 'No stop is left' })).toBeVisible();
  server.responds(calls.endTrip, { trip: null });
  await press('End trip');
  expect(await screen.findByRole('heading', { name: 'You are not on a trip' })).toBeVisible();
});
