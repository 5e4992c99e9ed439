import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getFirstSteps } from '#contract/first-steps/first-steps.calls.ts';
import { changeTeamSettings, getTeamSettings } from '#contract/settings/settings.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, bob, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { useTickToday } from './first-steps.data.ts';

const withSteps = (firstSteps: { today: boolean; dismissed: boolean }) => ({
  ...TEAM_SETTINGS,
  settings: { ...TEAM_SETTINGS.settings, firstSteps },
});

function open(done: Partial<Record<'places' | 'people' | 'search' | 'assign' | 'today', boolean>> = {}) {
  const server = fakeServer();
  const none = { places: false, people: false, search: false, assign: false, today: false };
  server.responds(getFirstSteps, { done: { ...none, ...done } });
  return { server, ...show(<FirstSteps />) };
}
const section = () => screen.findByRole('region', { name: /^First steps/ });

test('steps that are done are ticked, the others say how and where', async () => {
  open({ people: true });
  const steps = within(await section()).getAllByRole('listitem');
  expect(steps).toHaveLength(5);
  expect(await section()).toHaveAccessibleName('First steps 1 of 5 done');
  const [, people, search] = steps as [HTMLElement, HTMLElement, HTMLElement];
  expect(within(people).getByRole('img', { name: 'Done' })).toBeVisible();
  expect(within(people).queryByRole('link')).toBeNull();
  expect(within(search).getByText('By type and place, in the form below.')).toBeVisible();
});

test('Today is ticked when an administrator opens it, once, and not after the checklist was dismissed', async () => {
  function Today() {
    useTickToday();
    return null;
  }
  const open = (firstSteps: { today: boolean; dismissed: boolean }, as = ada) => {
    const server = fakeServer();
    server.responds(getTeamSettings, withSteps(firstSteps));
    server.responds(changeTeamSettings, withSteps({ ...firstSteps, today: true }));
    return { server, ...show(<Today />, { as }) };
  };
  const { server, unmount } = open({ today: false, dismissed: false });
  await waitFor(() =>
    expect(server.last(changeTeamSettings)?.body).toEqual({ firstSteps: { today: true, dismissed: false } }),
  );
  unmount();
  for (const [firstSteps, as] of [
    [{ today: true, dismissed: false }, ada],
    [{ today: false, dismissed: true }, ada],
    [{ today: false, dismissed: false }, bob],
  ] as const) {
    const shown = open(firstSteps, as);
    await waitFor(() => expect(shown.server.times(getTeamSettings)).toBe(1));
    expect(shown.server.times(changeTeamSettings)).toBe(0);
    shown.unmount();
  }
});

test('they can be dismissed', async () => {
  const { server } = open();
  server.responds(changeTeamSettings, withSteps({ today: false, dismissed: true }));
  await userEvent.click(within(await section()).getByRole('button', { name: 'Dismiss the first steps' }));
  await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
  expect(server.last(changeTeamSettings)?.body).toEqual({ firstSteps: { today: false, dismissed: true } });
});

test('they are gone once all are done or they were dismissed, which asks nothing of the server', async () => {
  const done = { places: true, people: true, search: true, assign: true, today: true };
  const { server } = open(done);
  await waitFor(() => expect(server.times(getFirstSteps)).toBe(1));
  expect(screen.queryByRole('region')).toBeNull();
  const other = fakeServer();
  other.responds(getTeamSettings, withSteps({ today: false, dismissed: true }));
  show(<FirstSteps />);
  await waitFor(() => expect(other.times(getTeamSettings)).toBe(1));
  expect(other.times(getFirstSteps)).toBe(0);
});
