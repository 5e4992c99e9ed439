import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { listDistricts } from '#contract/districts/districts.calls.ts';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import * as calls from '#contract/territories/territories.calls.ts';
import { findOverlaps } from '#contract/territories/territory.ts';
import { hasDrafts } from '#web/kit/storage/drafts.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aUser, bob } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { TerritoriesScreen } from './TerritoriesScreen.tsx';
import type { TerritoryMap } from './TerritoryMap.tsx';

// jsdom has no canvas. The story in the browser has the real map.
vi.mock('./TerritoryMap.tsx', () => ({
  TerritoryMap: ({ districts, onSelect }: ComponentProps<typeof TerritoryMap>) =>
    districts.map(({ code }) => (
      <button key={code} type="button" onClick={() => onSelect(code)}>
        {`Map ${code}`}
      </button>
    )),
}));

const DISTRICTS = ['LS1', 'LS2', 'LS3', 'LS4', 'WF1', 'WF2', 'YO1'].map((code, nth) => ({
  code,
  ...{ latitude: 53 + nth / 10, longitude: -1 - nth / 10, town: 'Leeds', region: 'Yorkshire and the Humber' },
}));
const person = ({ id, fullName, username }: typeof ada, ...districts: string[]) => ({
  ...{ userId: id, fullName, username, active: true },
  districts,
});
const BATCH = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

beforeEach(() => window.history.replaceState(null, '', '/territories'));

async function open(territories = [person(ada, 'LS1', 'LS2', 'LS3'), person(bob, 'WF1')], as = ada) {
  const server = fakeServer();
  server.responds(listDistricts, DISTRICTS);
  server.responds(calls.getTerritories, { territories, overlaps: findOverlaps(territories) });
  const shown = show(<TerritoriesScreen />, { as });
  await screen.findByRole('region', { name: 'Territories' });
  return { server, ...shown };
}

const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) });
const edit = (name: string) => userEvent.click(screen.getByRole('button', { name: `Edit the territory of ${name}` }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('the districts of a user are ranges, separated by commas', async () => {
  await open([person(ada, 'LS1', 'LS2', 'LS3', 'WF2', 'YO1')]);
  expect(row(ada.fullName)).toHaveTextContent('LS1–LS3, WF2, YO1');
});

test('a table has the districts of each user, and which have no owner', async () => {
  await open();
  expect(row(ada.fullName)).toHaveTextContent('LS1–LS3');
  expect(row(bob.fullName)).toHaveTextContent('WF1');
  await userEvent.click(screen.getByText('Without an owner: 3 districts'));
  expect(screen.getByText('In areas with owners: LS4, WF2')).toBeVisible();
  expect(screen.getByText('Whole areas: YO')).toBeVisible();
  expect(screen.queryByText(/belong to several people/)).toBeNull();
});

test('changes that are not saved yet are there again after the screen was left', async () => {
  const { unmount } = await open();
  await edit(bob.fullName);
  await press('Map YO1');
  unmount();
  await open();
  expect(row(bob.fullName)).toHaveTextContent('WF1, YO1');
  await press('Discard');
  expect(row(bob.fullName)).not.toHaveTextContent('YO1');
  expect(hasDrafts(ada.id)).toBe(false);
});

test('overlaps are named, and who is inactive', async () => {
  await open([
    person(ada, 'LS1', 'LS2'),
    person(bob, 'LS2'),
    { ...person({ ...bob, id: 99, fullName: 'Gone' }, 'LS2'), active: false },
  ]);
  expect(screen.getByText(/1 district belongs to several people: LS2\./)).toBeVisible();
  expect(row(bob.fullName)).toHaveTextContent('1 district is shared');
  expect(row('Gone')).toHaveTextContent('Inactive: gets no leads');
});

test('districts that are typed are taken from their owner, saved and offered with their open leads', async () => {
  const { server, toasts, lastUndo } = await open();
  await edit(bob.fullName);
  expect(window.location.search).toBe(`?user=${bob.id}`);
  await userEvent.type(screen.getByLabelText('Districts'), 'ls2-3, yo{Enter}');
  expect(row(bob.fullName)).toHaveTextContent('LS2, LS3, WF1, YO1');
  expect(screen.getByText(`gets LS2, LS3, YO1`, { exact: false })).toBeVisible();
  const changes = [
    { userId: ada.id, add: [], remove: ['LS2', 'LS3'] },
    { userId: bob.id, add: ['LS2', 'LS3', 'YO1'], remove: [] },
  ];
  const saved = [person(ada, 'LS1'), person(bob, 'LS2', 'LS3', 'WF1', 'YO1')];
  server.responds(calls.changeTerritories, { changes });
  server.responds(calls.getTerritories, { territories: saved, overlaps: [] });
  server.responds(calls.countTerritoryLeads, { count: 1_128 });
  await press('Save');
  await waitFor(() => expect(toasts).toEqual(['Territories saved']));
  expect(server.last(calls.changeTerritories)?.body).toEqual({ changes });
  const question = `Move 1,128 open leads of ${ada.fullName} in LS2, LS3 to ${bob.fullName}?`;
  expect(await screen.findByText(question)).toBeVisible();
  expect(server.last(calls.countTerritoryLeads)?.body).toEqual({ userId: ada.id, districts: ['LS2', 'LS3'] });

  const job = {
    ...{ id: BATCH, state: 'running' as const, total: 628, done: 0, success: 0, failed: 0, reasons: [] },
    ...{ message: null, batchId: BATCH, createdAt: '2026-03-04T12:00:00.000Z' },
  };
  server.responds(calls.moveTerritoryLeads, { moved: 500, skipped: 0, next: null, job }, { [BATCH_HEADER]: BATCH });
  server.responds(getJob, { ...job, state: 'done', done: 628, success: 627, failed: 1 });
  await press('Move 1,128 open leads');
  const stays = `1 stay: ${bob.fullName} has a lead on the same business`;
  await waitFor(() => expect(toasts.at(-1)).toBe(`1,127 leads moved to ${bob.fullName} | ${stays}`));
  expect(screen.queryByText(question)).toBeNull();
  expect(server.times(calls.moveTerritoryLeads)).toBe(1);
  expect(server.last(calls.moveTerritoryLeads)?.body).toMatchObject({ background: true });
  server.responds(undoChanges, { message: 'Undone', takenBack: 1_127, deleted: 0, left: [], creditsKept: 0 });
  lastUndo()?.();
  await waitFor(() => expect(server.last(undoChanges)?.path).toContain(BATCH));
});

test('undoing a save sends the inverse, and withdraws the offer', async () => {
  const { server, toasts, lastUndo } = await open();
  await edit(bob.fullName);
  await userEvent.type(screen.getByLabelText('Districts'), 'LS1{Enter}');
  const changes = [
    { userId: ada.id, add: [], remove: ['LS1'] },
    { userId: bob.id, add: ['LS1'], remove: [] },
  ];
  server.responds(calls.changeTerritories, { changes });
  server.responds(calls.getTerritories, {
    territories: [person(ada, 'LS2', 'LS3'), person(bob, 'LS1', 'WF1')],
    overlaps: [],
  });
  server.responds(calls.countTerritoryLeads, { count: 1 });
  await press('Save');
  expect(await screen.findByRole('button', { name: 'Move 1 open lead' })).toBeVisible();
  const before = [person(ada, 'LS1', 'LS2', 'LS3'), person(bob, 'WF1')];
  server.responds(calls.getTerritories, { territories: before, overlaps: [] });
  lastUndo()?.();
  await waitFor(() => expect(toasts.at(-1)).toBe('Undone'));
  expect(server.last(calls.changeTerritories)?.body).toEqual({
    changes: [
      { userId: ada.id, add: ['LS1'], remove: [] },
      { userId: bob.id, add: [], remove: ['LS1'] },
    ],
  });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Move 1 open lead' })).toBeNull());
});

test('a click on the map gives a district to the chosen person, and another takes it away', async () => {
  await open();
  await press('Map YO1');
  expect(screen.queryByText('Not saved yet')).toBeNull();
  await edit(bob.fullName);
  await press('Map YO1');
  expect(row(bob.fullName)).toHaveTextContent('WF1, YO1');
  await press('Map LS1');
  expect(row(ada.fullName)).toHaveTextContent('LS2, LS3');
  await press('Map YO1');
  expect(row(bob.fullName)).toHaveTextContent('LS1, WF1');
});

test('owners can keep what another gets too, which is an overlap', async () => {
  await open();
  await edit(bob.fullName);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Take added districts from their current owners' }));
  await userEvent.type(screen.getByLabelText('Districts'), 'LS1{Enter}');
  expect(row(ada.fullName)).toHaveTextContent('LS1–LS3');
  expect(screen.getByText(/1 district belongs to several people: LS1\./)).toBeVisible();
  await press('Discard');
  expect(screen.queryByText('Not saved yet')).toBeNull();
  expect(row(bob.fullName)).not.toHaveTextContent('LS1');
});

test('districts are removed; a text that is not understood stays, with its reason', async () => {
  const { server, toasts } = await open();
  await edit(ada.fullName);
  const field = screen.getByLabelText('Districts');
  await userEvent.type(field, 'LS1, Leeds');
  await press('Remove');
  expect(field).toHaveAccessibleDescription(expect.stringContaining('Not a district, range or area: LEEDS'));
  expect(field).toHaveValue('LS1, Leeds');
  await userEvent.clear(field);
  await press('Add');
  expect(field).toHaveAccessibleDescription(expect.stringContaining('Name at least one district'));
  await userEvent.type(field, 'LS1-LS2');
  await press('Remove');
  expect(row(ada.fullName)).toHaveTextContent('LS3');
  server.refuses(calls.changeTerritories, 'forbidden', 'You are not allowed to do this');
  await press('Save');
  await waitFor(() => expect(toasts).toEqual(['Territories could not be saved | 403: You are not allowed to do this']));
  expect(screen.getByText('Not saved yet')).toBeVisible();
});

test('managers see whose a district is, and change nothing', async () => {
  await open(undefined, aUser({ username: 'mona', role: 'manager' }));
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
  await press(`Show the territory of ${ada.fullName}`);
  expect(screen.queryByLabelText('Districts')).toBeNull();
  expect(within(row(ada.fullName)).getByRole('button', { name: /^Close/ })).toBeVisible();
});

test('a user sees their own territory, and nothing about the districts of others', async () => {
  await open([person(bob, 'WF1')], bob);
  expect(row(bob.fullName)).toHaveTextContent('WF1');
  expect(screen.queryByText(/Without an owner/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
});

test('without any territory the screen says how to begin', async () => {
  await open([person(ada), person(bob)]);
  expect(screen.getByRole('heading', { name: 'No territories yet' })).toBeVisible();
});

test('a failure can be retried', async () => {
  const server = fakeServer();
  server.responds(listDistricts, DISTRICTS);
  server.refuses(calls.getTerritories, 'internal', 'Something went wrong');
  show(<TerritoriesScreen />);
  expect(await screen.findByRole('heading', { name: 'Territories could not be loaded' })).toBeVisible();
  server.responds(calls.getTerritories, { territories: [person(ada, 'LS1')], overlaps: [] });
  await press('Try Again');
  expect(await screen.findByRole('region', { name: 'Territories' })).toBeVisible();
});
