import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { estimateSweep, listSweeps, startSweep } from '#contract/sweeps/sweeps.calls.ts';
import { currentUrl } from '#web/testing/app.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { anEstimate, aSweep } from '#web/testing/sweeps.ts';
import { SweepsScreen } from './SweepsScreen.tsx';

beforeEach(() => window.history.replaceState(null, '', '/sweeps'));

function open(...items: ReturnType<typeof aSweep>[]) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listSweeps, { items });
  server.responds(estimateSweep, anEstimate());
  return { server, ...show(<SweepsScreen />) };
}

const field = (name: string) => screen.getByLabelText(name);
const estimate = () => within(screen.getByRole('region', { name: 'Estimate' }));
const start = () => userEvent.click(screen.getByRole('button', { name: 'Start Sweep' }));

test('the cost is shown before the start, and the sweep opens', async () => {
  const { server } = open();
  expect(estimate().getByText(/Enter districts to see calls/)).toBeVisible();
  await userEvent.type(field('Business Type'), 'Hairdresser');
  await userEvent.type(field('Districts'), 'WF, LS');
  expect(await estimate().findByText('at most 138, all paid')).toBeVisible();
  expect(estimate().getByText('46')).toBeVisible();
  expect(estimate().getByText('800 of 900 paid calls left')).toBeVisible();
  expect(estimate().getByText('about 2 minutes')).toBeVisible();
  expect(server.last(estimateSweep)?.body).toEqual({ places: ['WF', 'LS'] });
  expect(currentUrl()).toBe('/sweeps?type=Hairdresser&area=WF%2C+LS');

  server.responds(startSweep, aSweep({ state: 'running' }));
  await start();
  await waitFor(() => expect(currentUrl()).toBe('/sweeps/6f9619ff-8b86-4d01-b42d-00cf4fc964ff'));
  expect(server.last(startSweep)?.body).toEqual({ businessType: 'Hairdresser', keyword: null, places: ['WF', 'LS'] });
});

test('a link fills the form, and a region is added to it', async () => {
  window.history.replaceState(null, '', '/sweeps?area=LS&type=Bakery');
  open();
  expect(field('Business Type')).toHaveValue('Bakery');
  expect(field('Districts')).toHaveValue('LS');
  await userEvent.selectOptions(field('Add a region'), 'Wales');
  expect(field('Districts')).toHaveValue('LS, Wales');
});

test('a cap that does not suffice, a daily limit, unknown places and a missing key are said beforehand', async () => {
  const { server } = open();
  server.responds(
    estimateSweep,
    anEstimate({
      ...{ unknown: ['Narnia'], notReady: 'The Places API key is missing or invalid.' },
      ...{ quota: { cap: 900, used: 880, left: 20 }, daily: { limit: 100, left: 7 } },
    }),
  );
  await userEvent.type(field('Districts'), 'WF, Narnia');
  expect(await estimate().findByText(/The cap may be reached/)).toBeVisible();
  expect(estimate().getByText('7 of 100 calls of the public service left')).toBeVisible();
  expect(estimate().getByText(/No postcode area, district or region: Narnia/)).toBeVisible();
  expect(estimate().getByText(/API key is missing/)).toBeVisible();
});

test('an empty form says what is missing, and a refused place is shown at its field', async () => {
  const { server, toasts } = open();
  await start();
  expect(await screen.findByText('Business type is required')).toBeVisible();
  expect(field('Business Type')).toHaveFocus();
  await userEvent.type(field('Business Type'), 'Bakery');
  await userEvent.type(field('Districts'), 'ZZ');
  const message = 'No postcode area, district or region: ZZ';
  server.refuses(startSweep, 'validation_failed', message, { errors: [{ path: 'places', message }] });
  await start();
  expect(await screen.findByText(message)).toBeVisible();
  expect(field('Districts')).toHaveFocus();
  expect(toasts).toEqual([`The sweep could not be started | 400: ${message}`]);
});

test('the estimate and the list can fail, and are tried again', async () => {
  const { server, unmount } = open();
  expect(await screen.findByText('No sweep has been started yet.')).toBeVisible();
  unmount();
  window.history.replaceState(null, '', '/sweeps?area=LS');
  server.refuses(listSweeps, 'internal', 'Something went wrong');
  server.refuses(estimateSweep, 'internal', 'Something went wrong');
  show(<SweepsScreen />);
  expect(await screen.findByText('Recent sweeps could not be loaded')).toBeVisible();
  expect(await screen.findByText('The cost could not be worked out')).toBeVisible();
});

test('the latest sweeps are listed with their state, user and progress', async () => {
  open(
    aSweep(),
    aSweep({
      id: '00000000-0000-4000-8000-000000000001',
      state: 'stopped',
      places: ['S'],
      startedBy: null,
      results: 7,
    }),
  );
  const list = await screen.findByRole('list', { name: 'Recent sweeps' });
  const [done, stopped] = within(list).getAllByRole('listitem');
  expect(done).toHaveTextContent('Hairdresser in WF, LS');
  expect(done).toHaveTextContent('Done');
  expect(done).toHaveTextContent('46 of 46 districts');
  expect(done).toHaveTextContent('640 results');
  expect(within(stopped as HTMLElement).getByRole('link')).toHaveAttribute(
    'href',
    '/sweeps/00000000-0000-4000-8000-000000000001',
  );
  expect(stopped).toHaveTextContent('Stopped');
});
