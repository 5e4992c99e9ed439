import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Map as LeafletMap, latLng } from 'leaflet';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { LeadStatus } from '#contract/leads/lead.ts';
import { type LeadPoint, listLeadPoints } from '#contract/leads/lead-lists.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { getMapFile } from '#contract/map/map.calls.ts';
import { aLeadItem, aLeadProfile, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { choose, lastQuery, listServer, showList } from '#web/testing/lead-list.tsx';

const leeds = { latitude: 53.8, longitude: -1.55 };
const aPoint = (id = 1, status: LeadStatus = 'new', type: string | null = null): LeadPoint => ({
  id,
  status,
  type,
  ...leeds,
});
const createPoints = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...aPoint(index + 1),
    latitude: 53 + (index % 100) / 100,
    longitude: -1 - index / 1_000,
  }));

const bakery = aLeadItem(
  1,
  { status: 'recontact', tags: ['hot'], customFields: { email: 'hello@bakery.test' } },
  { ...leeds, name: '<b>Bakery</b>', phone: '0113 496 0000', website: 'https://bakery.test' },
);

const markers = () => document.querySelectorAll('.leaflet-marker-icon');

async function openMap(points = [aPoint()], as = bob, settings = SETTINGS) {
  window.history.replaceState(null, '', '/crm?view=map');
  const server = listServer([bakery, aLeadItem(2)]);
  server.responds(getSettings, settings);
  server.responds(listLeadPoints, { points, capped: false });
  server.responds(getLead.byId, aLeadProfile(bakery));
  const shown = showList({ as });
  await screen.findByRole('region', { name: 'Map' });
  await waitFor(() => expect(markers().length).toBeGreaterThan(0));
  return { server, ...shown };
}

test('every lead with a location has a marker, and the filters of the list apply', async () => {
  const { server } = await openMap(createPoints(3));
  expect(screen.getByRole('tab', { name: 'Map' })).toHaveAttribute('aria-selected', 'true');
  expect(markers()).toHaveLength(3);
  expect(screen.getByText('3 businesses on the map')).toBeVisible();
  expect(lastQuery(server, listLeadPoints)).toEqual({
    user: '2',
    hideClosed: 'true',
    archived: 'false',
    existing: 'false',
  });

  await screen.findByRole('option', { name: 'York' });
  await choose('UK Town', 'York');
  await waitFor(() => expect(lastQuery(server, listLeadPoints).town).toBe('York'));
});

test('leads without a location are counted', async () => {
  await openMap([aPoint()]);
  expect(screen.getByText('1 business on the map')).toBeVisible();
  expect(screen.getByText('1 without a location')).toBeVisible();
});

test('the coast is drawn below the tiles', async () => {
  await openMap();
  await waitFor(() => expect(document.querySelectorAll('path.base-land, path.base-neighbours')).toHaveLength(2));
  expect(screen.getByText(/Natural Earth, GeoNames/)).toBeVisible();
});

test('tiles have the attribution of the operator as text', async () => {
  await openMap(undefined, undefined, { ...SETTINGS, tileAttribution: '<b>Example</b>' });
  expect(await screen.findByText(/<b>Example<\/b>/)).toBeVisible();
});

test('a map file that cannot be read leaves the base map', async () => {
  const { server } = await openMap(undefined, undefined, { ...SETTINGS, tileUrl: getMapFile.path });
  expect(await screen.findByText(/It shows coasts and towns only/)).toBeVisible();
  expect(server.requests.some(({ path }) => path.endsWith(getMapFile.path))).toBe(true);
  expect(document.querySelectorAll('.leaflet-tile-pane img')).toHaveLength(0);
});

test('without tiles the base map is the map', async () => {
  await openMap(undefined, undefined, { ...SETTINGS, tileUrl: '' });
  await waitFor(() => expect(document.querySelectorAll('path.base-land')).toHaveLength(1));
  expect(screen.queryByText(/coasts and towns only/)).toBeNull();
});

test('a marker opens a popup with text and safe links', async () => {
  await openMap();
  await userEvent.click(markers()[0] as Element);

  const popup = within(await screen.findByRole('region', { name: 'Business' }));
  expect(await popup.findByRole('heading', { name: '<b>Bakery</b>' })).toBeVisible();
  for (const text of ['Recontact', '1 High Street, Leeds LS1 4AP, UK', 'Assigned to Bob Cratchit']) {
    expect(popup.getByText(text)).toBeVisible();
  }
  expect(popup.getByRole('link', { name: '0113 496 0000' })).toHaveAttribute('href', 'tel:01134960000');
  expect(popup.getByRole('link', { name: 'bakery.test' })).toHaveAttribute('href', 'https://bakery.test');
  expect(popup.getByRole('link', { name: 'hello@bakery.test' })).toBeVisible();
  expect(popup.getByRole('link', { name: 'View on map' })).toHaveAttribute('href', expect.stringContaining('maps'));
  expect(popup.getByRole('link', { name: 'Business Profile' })).toHaveAttribute(
    'href',
    `/business/uuid/${bakery.userBusiness.uuid}`,
  );
});

test('the popup of a lead with a wrong number does not offer to call it', async () => {
  const { server } = await openMap();
  const business = { phone: '0113 496 0000', phoneIsWrong: true };
  server.responds(getLead.byId, aLeadProfile(aLeadItem(1, {}, business)));
  await userEvent.click(markers()[0] as Element);
  const popup = within(await screen.findByRole('region', { name: 'Business' }));
  expect(await popup.findByText('Wrong number')).toBeVisible();
  expect(popup.queryByRole('link', { name: '0113 496 0000' })).toBeNull();
});

test('the popup of a lead whose postcode alone is known says so', async () => {
  const { server } = await openMap();
  server.responds(getLead.byId, aLeadProfile(aLeadItem(1, {}, { positionApproximate: true })));
  await userEvent.click(markers()[0] as Element);
  const popup = within(await screen.findByRole('region', { name: 'Business' }));
  expect(await popup.findByText(/^About here/)).toBeVisible();
});

test('the popup of an imported lead has a badge and no link to Google Maps', async () => {
  const { server } = await openMap();
  server.responds(getLead.byId, aLeadProfile(aLeadItem(1, { tags: ['Imported'] })));
  await userEvent.click(markers()[0] as Element);
  const popup = within(await screen.findByRole('region', { name: 'Business' }));
  expect(await popup.findByText('Imported')).toBeVisible();
  expect(popup.queryByRole('link', { name: 'View on map' })).toBeNull();
});

test('the popup of a lead that could not be loaded shows the error, and can load it again', async () => {
  const { server } = await openMap();
  server.refuses(getLead.byId, 'not_found', 'This lead no longer exists');
  await userEvent.click(markers()[0] as Element);
  expect(await screen.findByText('404: This lead no longer exists')).toBeVisible();
  server.responds(getLead.byId, aLeadProfile(bakery));
  // Not by a click, which would be the second of a double click on the map.
  screen.getByRole('button', { name: 'Try Again' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('heading', { name: '<b>Bakery</b>' })).toBeVisible();
});

test('the list beside the map opens the popup by keyboard, and marks leads without a location', async () => {
  await openMap();
  const list = within(screen.getByRole('region', { name: 'Businesses on this page' }));
  expect(list.getByText('(no location)')).toBeVisible();
  list.getByRole('button', { name: 'Show on the map: <b>Bakery</b>' }).focus();
  await userEvent.keyboard('{Enter}');
  const popup = await screen.findByRole('region', { name: 'Business' });
  await waitFor(() => expect(popup).toHaveFocus());
});

test('a thousand leads have a marker each, and more are clustered', async () => {
  const { unmount } = await openMap(createPoints(1_000));
  expect(markers()).toHaveLength(1_000);
  unmount();
  // Only markers inside the viewport are added, and jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  await openMap(createPoints(1_001));
  expect(markers().length).toBeLessThan(200);
  expect([...markers()].some(({ textContent }) => Number(textContent) > 1)).toBe(true);
});

test('markers have the colour and the letter of their status, which a legend explains', async () => {
  await openMap([aPoint(1, 'recontact'), aPoint(2, 'closed_won'), aPoint(3, 'recontact')]);
  expect([...markers()].map(({ textContent }) => textContent)).toEqual(['R', 'W', 'R']);
  expect(markers()[0]?.querySelector('path')).toHaveAttribute('fill', 'var(--color-pin-recontact)');
  const legend = within(screen.getByRole('list', { name: 'Legend' }));
  expect(legend.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'RRecontact',
    'WClosed (Won)',
  ]);
});

test('for a screen reader the list beside the map is the map: markers are hidden from it', async () => {
  await openMap(createPoints(3));
  for (const marker of markers()) expect(marker).toHaveAttribute('aria-hidden', 'true');
  expect(within(screen.getByRole('region', { name: 'Map' })).queryByRole('button', { name: 'Business' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Show on the map: <b>Bakery</b>' })).toBeVisible();
});

test('the map moves to its points when a filter changes, and never by a live update', async () => {
  const { server, queries } = await openMap(createPoints(3));
  const moves = vi.spyOn(LeafletMap.prototype, 'setView');
  server.responds(listLeadPoints, { points: createPoints(2), capped: false });
  await queries.invalidateQueries();
  await waitFor(() => expect(markers()).toHaveLength(2));
  expect(moves).not.toHaveBeenCalled();

  server.responds(listLeadPoints, { points: createPoints(4), capped: false });
  await screen.findByRole('option', { name: 'York' });
  await choose('UK Town', 'York');
  await waitFor(() => expect(markers()).toHaveLength(4));
  expect(moves).toHaveBeenCalled();
  moves.mockClear();
  await userEvent.click(screen.getByRole('button', { name: 'Reset View' }));
  expect(moves).toHaveBeenCalled();
});

test('another size of the map moves it to the points of before, and only where they do not fit', async () => {
  const height = vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  const resized: (() => void)[] = [];
  class FakeResizeObserver {
    constructor(onResize: () => void) {
      resized.push(onResize);
    }
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', FakeResizeObserver);
  const { server, queries } = await openMap(createPoints(3));
  // Far away; its status makes the legend, and with it the map, of another size.
  const far = { ...aPoint(9, 'closed_won'), latitude: 40, longitude: 20 };
  server.responds(listLeadPoints, { points: [...createPoints(3), far], capped: false });
  await queries.invalidateQueries();
  await waitFor(() => expect(markers()).toHaveLength(4));
  const moves = vi.spyOn(LeafletMap.prototype, 'setView');
  for (const onResize of resized) onResize();
  expect(moves).not.toHaveBeenCalled();

  height.mockReturnValue(60);
  for (const onResize of resized) onResize();
  expect(moves.mock.calls.map(([centre]) => latLng(centre).lat)).toEqual(
    moves.mock.calls.map(() => expect.closeTo(53, 0)),
  );
  expect(moves).toHaveBeenCalled();
});

test('a refresh that fails leaves the map and its popup in place, and can be repeated', async () => {
  const { server, queries } = await openMap(createPoints(3));
  await userEvent.click(markers()[0] as Element);
  const popup = await screen.findByRole('region', { name: 'Business' });
  server.refuses(listLeadPoints, 'internal', 'Something went wrong');
  await queries.invalidateQueries();
  expect(await screen.findByText(/The map could not be refreshed/)).toBeVisible();
  expect(popup).toBeVisible();
  expect(markers()).toHaveLength(3);
  server.responds(listLeadPoints, { points: createPoints(2), capped: false });
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await waitFor(() => expect(markers()).toHaveLength(2));
  expect(screen.queryByText(/could not be refreshed/)).toBeNull();
});

test('without points there is a message and no Reset View', async () => {
  const { unmount } = await openMap();
  await userEvent.click(screen.getByRole('button', { name: 'Reset View' }));
  unmount();

  window.history.replaceState(null, '', '/crm?view=map');
  listServer([]);
  showList();
  expect(await screen.findByRole('heading', { name: 'No Map Data Available' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Reset View' })).toBeNull();
});

test('points that cannot be loaded can be retried', async () => {
  window.history.replaceState(null, '', '/crm?view=map');
  const server = listServer([bakery]);
  server.refuses(listLeadPoints, 'internal', 'Something went wrong');
  showList();
  expect(await screen.findByText('The map could not be loaded')).toBeVisible();
  server.responds(listLeadPoints, { points: [aPoint()], capped: false });
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('region', { name: 'Map' })).toBeVisible();
});

test('the pins are coloured by status or by type, and the URL keeps it', async () => {
  const { server } = await openMap([aPoint(1, 'new', 'Bakery'), aPoint(2, 'recontact', 'Bakery'), aPoint(3, 'new')]);
  const legend = () => within(screen.getByRole('list', { name: 'Legend' })).getAllByRole('listitem');
  const letters = () => [...markers()].map((marker) => marker.textContent).sort();
  expect(legend().map(({ textContent }) => textContent)).toEqual(['NNew', 'RRecontact']);
  expect(letters()).toEqual(['N', 'N', 'R']);
  const requests = server.requests.length;

  const by = within(screen.getByRole('group', { name: 'Colour by' }));
  await userEvent.click(by.getByRole('button', { name: 'Type' }));
  expect(by.getByRole('button', { name: 'Type' })).toHaveAttribute('aria-pressed', 'true');
  expect(legend().map(({ textContent }) => textContent)).toEqual(['BBakery', '?Type not known']);
  await waitFor(() => expect(letters()).toEqual(['?', 'B', 'B']));
  expect(new URLSearchParams(window.location.search).get('pins')).toBe('type');
  expect(server.requests.length, 'the same leads').toBe(requests);
});
