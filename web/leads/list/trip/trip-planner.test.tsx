import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ResponseBody } from '#contract/call.ts';
import { listLeadPoints } from '#contract/leads/lead-lists.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { changeStops, getTrip, planTrip, startTrip } from '#contract/leads/trip/trip.calls.ts';
import { toasts } from '#web/kit/toasts.ts';
import { aLeadItem, aLeadProfile, bob } from '#web/testing/fixtures.ts';
import { lastQuery, listServer, press, showList } from '#web/testing/lead-list.tsx';
import { aPlannedStop, aTrip, aTripStop, LEEDS, stubPosition } from '#web/testing/trips.ts';

const trip: ResponseBody<typeof planTrip> = {
  start: { ...LEEDS, name: 'LS1, Leeds', notice: null },
  stops: [aPlannedStop(1, { phone: '0113 496 0000' }), aPlannedStop(2), aPlannedStop(3)],
  unplaced: { count: 0, leads: [] },
};

function openMap(plan = trip, search = 'view=map') {
  window.history.replaceState(null, '', `/crm?${search}`);
  const server = listServer([aLeadItem(1, {}, LEEDS)]);
  server.responds(listLeadPoints, { points: [{ id: 1, ...LEEDS, status: 'new', type: null }], capped: false });
  server.responds(planTrip, plan);
  return { server, ...showList({ as: bob }) };
}

const panel = async () => within(await screen.findByRole('region', { name: 'Plan a trip' }));
const names = async () =>
  (await (await panel()).findAllByRole('heading', { level: 3, name: /^Shop/ })).map(({ textContent }) => textContent);

afterEach(() => vi.unstubAllGlobals());

test('a trip from a postcode has its stops in order, with distances, phones and links', async () => {
  const { server } = openMap();
  await userEvent.click(await screen.findByRole('button', { name: 'Plan a trip' }));
  const shown = await panel();
  expect(shown.getByRole('heading', { name: 'Plan a trip' })).toHaveFocus();
  await userEvent.type(shown.getByLabelText('Or from a postcode or town'), 'ls1{Enter}');
  expect(await names()).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
  expect(lastQuery(server, planTrip)).toMatchObject({
    near: 'ls1',
    count: '10',
    dueWithin: '10',
    user: String(bob.id),
  });
  expect(window.location.search).toContain('trip=ls1');
  expect(shown.getByText('3 stops, 4.1 miles').closest('p')).toHaveFocus();
  expect(shown.getByText('LS1, Leeds')).toBeVisible();
  expect(shown.getByText('3 stops, 4.1 miles')).toBeVisible();
  expect(shown.getByText('0.7 miles away')).toBeVisible();
  expect(shown.getByText('0.7 miles from stop 1')).toBeVisible();
  expect(shown.getByText('Back to the start: 2.1 miles')).toBeVisible();
  expect(shown.getByRole('link', { name: '0113 496 0000' })).toHaveAttribute('href', 'tel:01134960000');
  expect(shown.getByRole('link', { name: 'Open lead: Shop 2' })).toHaveAttribute(
    'href',
    '/business/uuid/00000000-0000-4000-8000-000000000002',
  );
  expect(shown.getByRole('link', { name: 'Open in Google Maps' })).toHaveAttribute(
    'href',
    expect.stringContaining('https://www.google.com/maps/dir/?api=1&origin=53.80000%2C-1.55000'),
  );
  expect(shown.getByRole('link', { name: 'Open in Apple Maps' })).toHaveAttribute(
    'href',
    expect.stringContaining('https://maps.apple.com/directions?source='),
  );
});

test('the map shows the trip as numbered markers and a line', async () => {
  openMap(trip, 'view=map&trip=LS1');
  expect(await screen.findByText('3 stops on the map')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Plan a trip' })).not.toHaveFocus();
  expect(await screen.findByRole('button', { name: 'Stop 2: Shop 2' })).toHaveTextContent('2');
  await waitFor(() => expect(document.querySelectorAll('path.trip-line')).toHaveLength(1));
});

test('a refresh of the trip that fails leaves its stops and their markers in place', async () => {
  const { server, queries } = openMap(trip, 'view=map&trip=LS1');
  const marker = await screen.findByRole('button', { name: 'Stop 2: Shop 2' });
  server.refuses(planTrip, 'internal', 'Something went wrong');
  server.refuses(listLeadPoints, 'internal', 'Something went wrong');
  await queries.invalidateQueries();
  expect(await screen.findByText(/The map could not be refreshed/)).toBeVisible();
  expect(await names()).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
  expect(marker).toBeVisible();
  expect(document.querySelectorAll('path.trip-line')).toHaveLength(1);
});

test('the position of the browser starts a trip, and is kept in the URL', async () => {
  stubPosition({ latitude: 53.79968, longitude: -1.54916 });
  const { server } = openMap({ ...trip, start: { ...LEEDS, name: null, notice: null } }, 'view=map&trip=choose');
  await userEvent.click(await screen.findByRole('button', { name: 'Start from my position' }));
  expect(await names()).toHaveLength(3);
  expect(lastQuery(server, planTrip)).toMatchObject({ latitude: '53.7997', longitude: '-1.5492' });
  expect(new URLSearchParams(window.location.search).get('trip')).toBe('53.7997,-1.5492');
  expect((await panel()).getByText('your position')).toBeVisible();
});

test('a page that was loaded to ask for the position does so', async () => {
  stubPosition({ latitude: 53.79968, longitude: -1.54916 });
  const entries = window.history.length;
  openMap({ ...trip, start: { ...LEEDS, name: null, notice: null } }, 'view=map&trip=me');
  expect(await names()).toHaveLength(3);
  expect(window.history.length, 'Back does not ask again').toBe(entries);
  expect(new URLSearchParams(window.location.search).get('trip')).toBe('53.7997,-1.5492');
});

test.each([
  [{ code: 1 }, /does not share your position/],
  [{ code: 2 }, /was not found/],
  [undefined, /shares no position/],
])('without a position (%o) a postcode is offered', async (answer, message) => {
  stubPosition(answer);
  openMap(trip, 'view=map&trip=choose');
  await userEvent.click(await screen.findByRole('button', { name: 'Start from my position' }));
  const shown = await panel();
  expect(shown.getByRole('alert')).toHaveTextContent(message);
  await userEvent.type(shown.getByLabelText('Or from a postcode or town'), 'LS1{Enter}');
  expect(await names()).toHaveLength(3);
});

test('an unknown place is refused at its field, and nothing typed asks for it', async () => {
  const { server } = openMap(trip, 'view=map&trip=choose');
  server.refuses(planTrip, 'invalid_request', 'No place called "Atlantis" was found.');
  const shown = await panel();
  await userEvent.click(shown.getByRole('button', { name: 'Go' }));
  expect(shown.getByText('Enter a postcode or town')).toBeVisible();
  await userEvent.type(shown.getByLabelText('Or from a postcode or town'), 'Atlantis{Enter}');
  expect(await shown.findByText(/No place called "Atlantis" was found/)).toBeVisible();
  expect(shown.getByLabelText('Or from a postcode or town')).toHaveValue('Atlantis');
});

test('a stop is moved by its buttons, which keep the focus', async () => {
  openMap(trip, 'view=map&trip=LS1');
  await names();
  await press('Move Shop 3 up');
  expect(await names()).toEqual(['Shop 1', 'Shop 3', 'Shop 2']);
  expect(screen.getByRole('button', { name: 'Move Shop 3 up' })).toHaveFocus();
  expect(screen.getByText('Shop 3 is now stop 2 of 3')).toBeInTheDocument();
  await press('Move Shop 1 down');
  expect(await names()).toEqual(['Shop 3', 'Shop 1', 'Shop 2']);
  expect(screen.getByRole('button', { name: 'Move Shop 1 down' })).toHaveFocus();
  expect(screen.getByRole('button', { name: 'Move Shop 3 up' })).toHaveAttribute('aria-disabled', 'true');
  expect(new URLSearchParams(window.location.search).get('order')).toBe('3,1,2');
  await press('Restore the short order');
  expect(await names()).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
});

test('a stop is dropped and put back', async () => {
  openMap(trip, 'view=map&trip=LS1');
  await names();
  await press('Drop Shop 2');
  expect(await names()).toEqual(['Shop 1', 'Shop 3']);
  expect(screen.getByText(/^2 stops, /).closest('p')).toHaveFocus();
  await press('Put back: Shop 2');
  expect(await names()).toEqual(['Shop 1', 'Shop 3', 'Shop 2']);
  expect(screen.queryByRole('region', { name: 'Not on this trip' })).toBeNull();
});

test('a start in the district of a postcode says so', async () => {
  const notice = 'The postcode itself could not be looked up: the trip starts in the middle of its district, LS1.';
  openMap({ ...trip, start: { ...trip.start, notice } }, 'view=map&trip=LS1+9ZZ');
  expect(await (await panel()).findByText(notice)).toBeVisible();
});

test('the number of stops is chosen, and another start begins a new order', async () => {
  const { server } = openMap(trip, 'view=map&trip=LS1&order=3,1,2');
  expect(await names()).toEqual(['Shop 3', 'Shop 1', 'Shop 2']);
  await userEvent.selectOptions(screen.getByLabelText('Stops'), '25');
  await waitFor(() => expect(lastQuery(server, planTrip)).toMatchObject({ near: 'LS1', count: '25' }));
  expect(await names()).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toMatchObject({ trip: 'LS1', stops: '25' });
});

test('another start can be chosen', async () => {
  const { server } = openMap(trip, 'view=map&trip=LS1');
  await names();
  await press('Change start');
  const place = screen.getByLabelText('Or from a postcode or town');
  expect(place).toHaveValue('LS1');
  await userEvent.clear(place);
  await userEvent.type(place, 'York{Enter}');
  await waitFor(() => expect(lastQuery(server, planTrip)).toMatchObject({ near: 'York' }));
  await waitFor(() => expect(screen.queryByLabelText('Or from a postcode or town')).toBeNull());
});

test('leads without a position are counted and named', async () => {
  const leads = [{ uuid: '00000000-0000-4000-8000-000000000009', name: 'No Fixed Abode' }];
  openMap({ ...trip, unplaced: { count: 12, leads } }, 'view=map&trip=LS1');
  expect(await screen.findByText('12 open leads have no position: No Fixed Abode and 11 more')).toBeVisible();
});

test('a trip without leads says so', async () => {
  openMap({ ...trip, stops: [] }, 'view=map&trip=LS1');
  expect(await screen.findByText('None of the open leads of this filter has a position.')).toBeVisible();
});

test('closing returns to the list beside the map and to its button', async () => {
  openMap(trip, 'view=map&trip=LS1');
  await names();
  await press('Close the plan');
  expect(await screen.findByRole('region', { name: 'Businesses on this page' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Plan a trip' })).toHaveFocus();
  expect(window.location.search).not.toContain('trip=');
});

test('each stop says why it is there', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-19T09:00:00Z') });
  const stops = [
    aPlannedStop(1, { reason: { kind: 'due', at: '2026-11-12T10:00:00.000Z' } }),
    aPlannedStop(2, { reason: { kind: 'due', at: '2026-11-19T16:00:00.000Z' } }),
    aPlannedStop(3),
  ];
  openMap({ ...trip, stops }, 'view=map&trip=LS1');
  const shown = await panel();
  expect(await shown.findByText('Overdue since Nov 12')).toBeVisible();
  expect(shown.getByText('Due today')).toBeVisible();
  expect(shown.getByText('2.1 miles away')).toBeVisible();
  expect(shown.getByText(/; 2 are due$/)).toBeVisible();
});

test('how far the trip goes for what is due is chosen by a slider, and kept in the URL', async () => {
  const { server } = openMap(trip, 'view=map&trip=LS1&order=3,1,2');
  await names();
  const slider = screen.getByRole('slider', { name: 'Go this far for what is due' });
  expect(slider).toHaveAttribute('aria-valuetext', '10 miles');
  fireEvent.change(slider, { target: { value: '12' } });
  fireEvent.change(slider, { target: { value: '0' } });
  await waitFor(() => expect(lastQuery(server, planTrip)).toMatchObject({ dueWithin: '0' }));
  expect(
    server.requests.filter(({ path }) => path.includes('dueWithin=12')),
    'while it is moved',
  ).toEqual([]);
  expect(screen.getByText('The nearest leads alone.')).toBeVisible();
  expect(new URLSearchParams(window.location.search).get('due')).toBe('0');
  expect(await names(), 'in the computed order').toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
});

describe('starting the trip', () => {
  const begin = async () => {
    await names();
    await press('Start this trip');
  };

  test('sends its start and its stops in their order, and opens it', async () => {
    const { server } = openMap(trip, 'view=map&trip=LS1&order=3,1');
    server.responds(startTrip, aTrip([aTripStop(3), aTripStop(1)]));
    await begin();
    await waitFor(() => expect(window.location.pathname).toBe('/trip'));
    expect(server.last(startTrip)?.body).toEqual({ start: { ...LEEDS, name: 'LS1, Leeds' }, stops: [3, 1] });
  });

  test('asks before it takes the place of a trip with stops left', async () => {
    const { server } = openMap(trip, 'view=map&trip=LS1');
    server.responds(getTrip, { trip: aTrip([aTripStop(8, { done: true }), aTripStop(9)]) });
    await screen.findByRole('button', { name: 'Start this trip' });
    server.responds(startTrip, aTrip([aTripStop(1)]));
    await waitFor(() => expect(server.times(getTrip)).toBeGreaterThan(0));
    await begin();
    const dialog = within(await screen.findByRole('dialog', { name: 'Start another trip?' }));
    expect(dialog.getByText(/with 1 stop left/)).toBeVisible();
    expect(server.times(startTrip)).toBe(0);
    await userEvent.click(dialog.getByRole('button', { name: 'Start this trip' }));
    await waitFor(() => expect(window.location.pathname).toBe('/trip'));
  });

  test('a refusal says why and stays on the plan', async () => {
    const { server, toasts: shown } = openMap(trip, 'view=map&trip=LS1');
    server.refuses(startTrip, 'not_your_lead', 'This business is assigned to another user');
    await begin();
    await waitFor(() =>
      expect(shown).toEqual(['The trip could not be started | 403: This business is assigned to another user']),
    );
    expect(window.location.pathname).toBe('/crm');
  });
});

describe('on a trip, the map of leads', () => {
  const openPopup = async (stops: Parameters<typeof aTrip>[0]) => {
    const { server, ...view } = openMap(trip, 'view=map');
    server.responds(getTrip, { trip: aTrip(stops) });
    server.responds(getLead.byId, aLeadProfile(aLeadItem(1, {}, LEEDS)));
    await userEvent.click(await screen.findByRole('button', { name: 'Show on the map: Shop 1' }));
    return { server, ...view, popup: within(await screen.findByRole('region', { name: 'Business' })) };
  };

  test('adds a stop from its popup', async () => {
    const { server, popup } = await openPopup([aTripStop(2, { done: true }), aTripStop(3)]);
    server.responds(changeStops, aTrip([aTripStop(2, { done: true }), aTripStop(3), aTripStop(1)]));
    await userEvent.click(await popup.findByRole('button', { name: 'Add to trip' }));
    expect(await popup.findByRole('button', { name: 'Drop from trip' })).toBeVisible();
    expect(server.last(changeStops)?.body).toEqual({ stops: [2, 3, 1] });
    expect(toasts.current()).toMatchObject({ title: 'Added Shop 1 to your trip' });
    expect(screen.getByRole('link', { name: 'Your trip: 1 of 3 stops done' })).toHaveAttribute('href', '/trip');
  });

  test('drops a stop from its popup, which can be undone', async () => {
    const { server, popup } = await openPopup([aTripStop(1), aTripStop(3)]);
    server.responds(changeStops, aTrip([aTripStop(3)]));
    await userEvent.click(await popup.findByRole('button', { name: 'Drop from trip' }));
    expect(await popup.findByRole('button', { name: 'Add to trip' })).toBeVisible();
    server.responds(changeStops, aTrip([aTripStop(1), aTripStop(3)]));
    toasts.current()?.onUndo?.();
    expect(await popup.findByRole('button', { name: 'Drop from trip' })).toBeVisible();
    expect(server.last(changeStops)?.body).toEqual({ stops: [1, 3] });
  });

  test('shows its stops above the leads, but not beside the plan of another one', async () => {
    const { server } = openMap(trip, 'view=map');
    server.responds(getTrip, { trip: aTrip([aTripStop(8, { done: true }), aTripStop(9)]) });
    expect(await screen.findByRole('button', { name: 'Stop 1: Shop 8, done' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Stop 2: Shop 9' })).toBeInTheDocument();
    await press('Plan a trip');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop 2: Shop 9' })).toBeNull());
  });

  test('says where a trip is full, and that a stop is done', async () => {
    const full = Array.from({ length: 25 }, (_, nth) => aTripStop(nth + 2));
    const { popup, queries } = await openPopup(full);
    expect(await popup.findByText('Your trip has 25 stops, and cannot have more.')).toBeVisible();
    queries.setQueryData([getTrip.path, {}], { trip: aTrip([aTripStop(1, { done: true })]) });
    expect(await popup.findByText('Done on your trip')).toBeVisible();
  });
});
