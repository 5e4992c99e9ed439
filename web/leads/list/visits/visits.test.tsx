import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ResponseBody } from '#contract/call.ts';
import { listLeadPoints } from '#contract/leads/lead-lists.calls.ts';
import { listVisits, type VisitStop } from '#contract/leads/visits.calls.ts';
import { aLeadItem, bob } from '#web/testing/fixtures.ts';
import { lastQuery, listServer, press, showList } from '#web/testing/lead-list.tsx';

const LEEDS = { latitude: 53.8, longitude: -1.55 };

const stop = (n: number, fields: Partial<VisitStop> = {}): VisitStop => ({
  id: n,
  uuid: `00000000-0000-4000-8000-00000000000${n}`,
  name: `Shop ${n}`,
  address: `${n} High Street, Leeds LS1 4AP, UK`,
  phone: null,
  phoneIsWrong: false,
  status: 'new',
  latitude: LEEDS.latitude + n / 100,
  longitude: LEEDS.longitude,
  positionApproximate: false,
  ...fields,
});

const trip: ResponseBody<typeof listVisits> = {
  start: { ...LEEDS, name: 'LS1, Leeds', notice: null },
  stops: [stop(1, { phone: '0113 496 0000' }), stop(2), stop(3)],
  unplaced: { count: 0, leads: [] },
};

function openMap(visits = trip, search = 'view=map') {
  window.history.replaceState(null, '', `/crm?${search}`);
  const server = listServer([aLeadItem(1, {}, LEEDS)]);
  server.responds(listLeadPoints, { points: [{ id: 1, ...LEEDS, status: 'new' }], capped: false });
  server.responds(listVisits, visits);
  return { server, ...showList({ as: bob }) };
}

const panel = async () => within(await screen.findByRole('region', { name: 'Visit order' }));
const names = async () =>
  (await (await panel()).findAllByRole('heading', { level: 3, name: /^Shop/ })).map(({ textContent }) => textContent);

/** The browser's answer to a request for its position. */
function browserPosition(answer: Position | { code: number } | undefined) {
  vi.stubGlobal('isSecureContext', true);
  const getCurrentPosition = (
    onFound: (position: { coords: Position }) => void,
    onError: (error: { code: number }) => void,
  ) => {
    if (answer && 'code' in answer) onError(answer);
    else if (answer) onFound({ coords: answer });
  };
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: answer && { getCurrentPosition },
  });
}
interface Position {
  latitude: number;
  longitude: number;
}
afterEach(() => vi.unstubAllGlobals());

test('a trip from a postcode has its stops in order, with distances, phones and links', async () => {
  const { server } = openMap();
  await userEvent.click(await screen.findByRole('button', { name: 'Visit order' }));
  const shown = await panel();
  expect(shown.getByRole('heading', { name: 'Visit order' })).toHaveFocus();
  await userEvent.type(shown.getByLabelText('Or from a postcode or town'), 'ls1{Enter}');
  expect(await names()).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
  expect(lastQuery(server, listVisits)).toMatchObject({ near: 'ls1', count: '10', user: String(bob.id) });
  expect(window.location.search).toContain('visit=ls1');
  expect(shown.getByText('3 stops, 4.1 miles').closest('p')).toHaveFocus();
  expect(shown.getByText('LS1, Leeds')).toBeVisible();
  expect(shown.getByText('3 stops, 4.1 miles')).toBeVisible();
  expect(shown.getByText('0.7 miles from the start')).toBeVisible();
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
  openMap(trip, 'view=map&visit=LS1');
  expect(await screen.findByText('3 stops on the map')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Visit order' })).not.toHaveFocus();
  expect(await screen.findByRole('button', { name: 'Stop 2: Shop 2' })).toHaveTextContent('2');
  await waitFor(() => expect(document.querySelectorAll('path.visit-line')).toHaveLength(1));
});

test('a refresh of the trip that fails leaves its stops and their markers in place', async () => {
  const { server, queries } = openMap(trip, 'view=map&visit=LS1');
  const marker = await screen.findByRole('button', { name: 'Stop 2: Shop 2' });
  server.refuses(listVisits, 'internal', 'Something went wrong');
  server.refuses(listLeadPoints, 'internal', 'Something went wrong');
  await queries.invalidateQueries();
  expect(await screen.findByText(/The map could not be refreshed/)).toBeVisible();
  expect(await names()).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
  expect(marker).toBeVisible();
  expect(document.querySelectorAll('path.visit-line')).toHaveLength(1);
});

test('the position of the browser starts a trip, and is kept in the URL', async () => {
  browserPosition({ latitude: 53.79968, longitude: -1.54916 });
  const { server } = openMap({ ...trip, start: { ...LEEDS, name: null, notice: null } }, 'view=map&visit=choose');
  await userEvent.click(await screen.findByRole('button', { name: 'Start from my position' }));
  expect(await names()).toHaveLength(3);
  expect(lastQuery(server, listVisits)).toMatchObject({ latitude: '53.7997', longitude: '-1.5492' });
  expect(new URLSearchParams(window.location.search).get('visit')).toBe('53.7997,-1.5492');
  expect((await panel()).getByText('your position')).toBeVisible();
});

test('a page that was loaded to ask for the position does so', async () => {
  browserPosition({ latitude: 53.79968, longitude: -1.54916 });
  const entries = window.history.length;
  openMap({ ...trip, start: { ...LEEDS, name: null, notice: null } }, 'view=map&visit=me');
  expect(await names()).toHaveLength(3);
  expect(window.history.length, 'Back does not ask again').toBe(entries);
  expect(new URLSearchParams(window.location.search).get('visit')).toBe('53.7997,-1.5492');
});

test.each([
  [{ code: 1 }, /does not share your position/],
  [{ code: 2 }, /was not found/],
  [undefined, /shares no position/],
])('without a position (%o) a postcode is offered', async (answer, message) => {
  browserPosition(answer);
  openMap(trip, 'view=map&visit=choose');
  await userEvent.click(await screen.findByRole('button', { name: 'Start from my position' }));
  const shown = await panel();
  expect(shown.getByRole('alert')).toHaveTextContent(message);
  await userEvent.type(shown.getByLabelText('Or from a postcode or town'), 'LS1{Enter}');
  expect(await names()).toHaveLength(3);
});

test('an unknown place is refused at its field, and nothing typed asks for it', async () => {
  const { server } = openMap(trip, 'view=map&visit=choose');
  server.refuses(listVisits, 'invalid_request', 'No place called "Atlantis" was found.');
  const shown = await panel();
  await userEvent.click(shown.getByRole('button', { name: 'Go' }));
  expect(shown.getByText('Enter a postcode or town')).toBeVisible();
  await userEvent.type(shown.getByLabelText('Or from a postcode or town'), 'Atlantis{Enter}');
  expect(await shown.findByText(/No place called "Atlantis" was found/)).toBeVisible();
  expect(shown.getByLabelText('Or from a postcode or town')).toHaveValue('Atlantis');
});

test('a stop is moved by its buttons, which keep the focus', async () => {
  openMap(trip, 'view=map&visit=LS1');
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

test('a stop is left out and put back', async () => {
  openMap(trip, 'view=map&visit=LS1');
  await names();
  await press('Leave Shop 2 out');
  expect(await names()).toEqual(['Shop 1', 'Shop 3']);
  expect(screen.getByText(/^2 stops, /).closest('p')).toHaveFocus();
  await press('Put back: Shop 2');
  expect(await names()).toEqual(['Shop 1', 'Shop 3', 'Shop 2']);
  expect(screen.queryByRole('region', { name: 'Not on this trip' })).toBeNull();
});

test('a start in the district of a postcode says so', async () => {
  const notice = 'The postcode itself could not be looked up: the trip starts in the middle of its district, LS1.';
  openMap({ ...trip, start: { ...trip.start, notice } }, 'view=map&visit=LS1+9ZZ');
  expect(await (await panel()).findByText(notice)).toBeVisible();
});

test('the number of stops is chosen, and another start begins a new order', async () => {
  const { server } = openMap(trip, 'view=map&visit=LS1&order=3,1,2');
  expect(await names()).toEqual(['Shop 3', 'Shop 1', 'Shop 2']);
  await userEvent.selectOptions(screen.getByLabelText('Open leads to visit'), '25');
  await waitFor(() => expect(lastQuery(server, listVisits)).toMatchObject({ near: 'LS1', count: '25' }));
  expect(await names()).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toMatchObject({ visit: 'LS1', stops: '25' });
});

test('another start can be chosen', async () => {
  const { server } = openMap(trip, 'view=map&visit=LS1');
  await names();
  await press('Change start');
  const place = screen.getByLabelText('Or from a postcode or town');
  expect(place).toHaveValue('LS1');
  await userEvent.clear(place);
  await userEvent.type(place, 'York{Enter}');
  await waitFor(() => expect(lastQuery(server, listVisits)).toMatchObject({ near: 'York' }));
  await waitFor(() => expect(screen.queryByLabelText('Or from a postcode or town')).toBeNull());
});

test('leads without a position are counted and named', async () => {
  const leads = [{ uuid: '00000000-0000-4000-8000-000000000009', name: 'No Fixed Abode' }];
  openMap({ ...trip, unplaced: { count: 12, leads } }, 'view=map&visit=LS1');
  expect(await screen.findByText('12 open leads have no position: No Fixed Abode and 11 more')).toBeVisible();
});

test('a trip without leads says so', async () => {
  openMap({ ...trip, stops: [] }, 'view=map&visit=LS1');
  expect(await screen.findByText('None of the open leads of this filter has a position.')).toBeVisible();
});

test('closing returns to the list beside the map and to its button', async () => {
  openMap(trip, 'view=map&visit=LS1');
  await names();
  await press('Close visit order');
  expect(await screen.findByRole('region', { name: 'Businesses on this page' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Visit order' })).toHaveFocus();
  expect(window.location.search).not.toContain('visit');
});
