import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DEFAULT_SECURITY } from '#contract/auth/security-rules.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import { DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import { DEFAULT_OUTCOMES, STANDARD_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { changeTeamSettings, getTeamSettings } from '#contract/settings/settings.calls.ts';
import { DEFAULT_TEAM_SETTINGS } from '#contract/settings/team-settings.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aUser, SETTINGS, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { SettingsScreen } from './SettingsScreen.tsx';

const admin = aUser({ username: 'ada', role: 'admin' });
const SHUT = { label: 'Closed today', reached: true, offered: false, next: { days: 4, counted: 'calendar' as const } };
const CHANGED = {
  settings: { ...DEFAULT_TEAM_SETTINGS, outcomes: { ...DEFAULT_OUTCOMES, shut: SHUT } },
  changes: { ...TEAM_SETTINGS.changes, outcomes: { at: '2026-11-16T09:30:00.000Z', by: 'Ada Lovelace', reset: false } },
};

async function open(settings: ResponseBody<typeof getTeamSettings> = TEAM_SETTINGS) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(getTeamSettings, settings);
  const view = show(<SettingsScreen />, { as: admin });
  await screen.findByRole('table', { name: 'Outcomes' });
  return { server, ...view };
}
const save = () => screen.getByRole('button', { name: 'Save outcomes' });
const labelOf = (name: string) => screen.getByRole('textbox', { name: `Label of “${name}”` });

test('each outcome says its label, what it counts as, what it proposes and its default', async () => {
  await open();
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows).toHaveLength(STANDARD_OUTCOMES.length);
  expect(labelOf('No answer')).toHaveValue('No answer');
  expect(screen.getByRole('textbox', { name: 'Days after “No answer”' })).toHaveValue('1');
  expect(screen.getByRole('combobox', { name: 'Next step after “Call back”' })).toHaveDisplayValue('Nothing');
  expect(screen.getByRole('checkbox', { name: '“Interested” counts as reached' })).toBeChecked();
  expect(screen.getByText('Spoke, not now; in 14 days; reached')).toBeVisible();
  expect(screen.getByText('Wrong number; Find the number, the same day; not reached')).toBeVisible();
  expect(screen.getAllByText('Not changed yet.')).toHaveLength(4);
  expect(screen.queryByRole('button', { name: 'Use the defaults' })).toBeNull();
});

test("an outcome of the team's own is added with the focus on its label, and going back to the defaults leaves it", async () => {
  const { server } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Add an outcome of a visit' }));
  const label = labelOf('Own outcome 1 of a visit');
  expect(label).toHaveFocus();
  expect(screen.getByText('Your own, of a visit')).toBeVisible();
  await userEvent.click(save());
  expect(await screen.findByText('Please enter a label')).toBeVisible();
  await userEvent.type(label, 'Left a leaflet');
  const own_visit_1 = { ...DEFAULT_OUTCOMES.own_visit_1, label: 'Left a leaflet', offered: true };
  const outcomes = { ...DEFAULT_OUTCOMES, own_visit_1 };
  const saved = {
    settings: { ...DEFAULT_TEAM_SETTINGS, outcomes },
    changes: CHANGED.changes,
  };
  server.responds(changeTeamSettings, saved);
  await userEvent.click(save());
  await waitFor(() => expect(server.last(changeTeamSettings)?.body).toEqual({ outcomes }));
  await userEvent.click(await screen.findByRole('button', { name: 'Use the defaults' }));
  await waitFor(() => expect(server.times(changeTeamSettings)).toBe(2));
  expect(server.last(changeTeamSettings)?.body).toEqual({ outcomes });
});

test('a setting that was set back says who did, and has nothing to set back', async () => {
  const outcomes = { at: '2026-11-16T09:30:00.000Z', by: 'Ada Lovelace', reset: true };
  await open({ ...TEAM_SETTINGS, changes: { ...TEAM_SETTINGS.changes, outcomes } });
  expect(screen.getByText(/^Set back to the defaults by Ada Lovelace on/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use the defaults' })).toBeNull();
});

test('at most four outcomes of each kind are added', async () => {
  await open();
  const add = screen.getByRole('button', { name: 'Add an outcome of a call' });
  for (const nth of [1, 2, 3, 4]) {
    await userEvent.click(add);
    await userEvent.type(labelOf(`Own outcome ${nth} of a call`), `Own ${nth}`);
  }
  expect(add).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Add an outcome of a visit' })).toBeEnabled();
});

test('changes are saved together, and then say who made them', async () => {
  const { server, toasts } = await open();
  server.responds(changeTeamSettings, CHANGED);
  expect(save()).toBeDisabled();
  await userEvent.clear(labelOf('Shut'));
  await userEvent.type(labelOf('Shut'), 'Closed today');
  await userEvent.clear(screen.getByRole('textbox', { name: 'Days after “Shut”' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Days after “Shut”' }), '4');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Next step after “Shut”' }), 'Days');
  await userEvent.click(screen.getByRole('checkbox', { name: '“Shut” counts as reached' }));
  await userEvent.click(screen.getByRole('checkbox', { name: '“Shut” is shown' }));
  await userEvent.click(save());
  await waitFor(() => expect(toasts).toEqual(['Settings saved']));
  expect(server.last(changeTeamSettings)?.body).toEqual({ outcomes: CHANGED.settings.outcomes });
  expect(screen.getByText(/^Changed by Ada Lovelace on/)).toHaveTextContent('on Nov 16, 2026, 09:30.');
  expect(save()).toBeDisabled();
});

test('what is wrong is said at its field, and not sent', async () => {
  const { server } = await open();
  await userEvent.clear(labelOf('Shut'));
  await userEvent.clear(screen.getByRole('textbox', { name: 'Days after “Left message”' }));
  await userEvent.click(save());
  expect(labelOf('Shut')).toHaveAccessibleDescription('Please enter a label');
  expect(screen.getByRole('textbox', { name: 'Days after “Left message”' })).toHaveAccessibleDescription(
    'Please enter whole days',
  );
  await userEvent.type(labelOf('Shut'), 'Owner away');
  await userEvent.type(screen.getByRole('textbox', { name: 'Days after “Left message”' }), '2');
  await userEvent.click(save());
  expect(screen.getByRole('alert')).toHaveTextContent('Two outcomes cannot have the same label');
  expect(server.times(changeTeamSettings)).toBe(0);
});

test('what is typed stays when another administrator changes the settings, and can be dropped', async () => {
  const { server, queries } = await open();
  await userEvent.type(labelOf('Shut'), ' today');
  server.responds(getTeamSettings, CHANGED);
  await queries.invalidateQueries();
  expect(await screen.findByText(/^Changed by Ada Lovelace/)).toBeVisible();
  expect(labelOf('Shut')).toHaveValue('Shut today');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(labelOf('Shut')).toHaveValue('Closed today');
});

test('the defaults come back with one press', async () => {
  const { server } = await open(CHANGED);
  server.responds(changeTeamSettings, TEAM_SETTINGS);
  await userEvent.click(screen.getByRole('button', { name: 'Use the defaults' }));
  await waitFor(() => expect(labelOf('Shut')).toHaveValue('Shut'));
  expect(server.last(changeTeamSettings)?.body).toEqual({ outcomes: null });
});

test('settings that could not be loaded can be loaded again', async () => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.refuses(getTeamSettings, 'internal', 'Something went wrong');
  show(<SettingsScreen />, { as: admin });
  expect(await screen.findByText('The settings could not be loaded')).toBeVisible();
  server.responds(getTeamSettings, TEAM_SETTINGS);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('table', { name: 'Outcomes' })).toBeVisible();
});

test('whether users may add and take leads, with how many and where', async () => {
  const { server, toasts } = await open();
  const addingLeads = { allowed: true, perDay: 20, inTerritory: false };
  server.responds(changeTeamSettings, {
    settings: { ...TEAM_SETTINGS.settings, addingLeads },
    changes: {
      ...TEAM_SETTINGS.changes,
      addingLeads: { at: '2026-11-16T09:30:00.000Z', by: 'Ada Lovelace', reset: false },
    },
  });
  const perDay = screen.getByRole('textbox', { name: 'At most a day, each' });
  expect(perDay).toHaveAccessibleDescription('Default: 50');
  expect(screen.getByRole('checkbox', { name: 'Users may add and take leads' })).not.toBeChecked();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Users may add and take leads' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Only in their territory, for those who have one' }));
  await userEvent.clear(perDay);
  await userEvent.click(screen.getByRole('button', { name: 'Save leads' }));
  expect(perDay).toHaveAccessibleDescription(/^Please enter a whole number/);
  expect(server.times(changeTeamSettings)).toBe(0);
  await userEvent.type(perDay, '20');
  await userEvent.click(screen.getByRole('button', { name: 'Save leads' }));
  await waitFor(() => expect(toasts).toEqual(['Settings saved']));
  expect(server.last(changeTeamSettings)?.body).toEqual({ addingLeads });
  expect(screen.getByText(/^Changed by Ada Lovelace/)).toBeVisible();
  server.responds(changeTeamSettings, TEAM_SETTINGS);
  await userEvent.click(screen.getByRole('button', { name: 'Use the defaults' }));
  await waitFor(() => expect(perDay).toHaveValue(String(DEFAULT_ADDING.perDay)));
  expect(server.last(changeTeamSettings)?.body).toEqual({ addingLeads: null });
});

test('what signing in needs, and how long it lasts', async () => {
  const { server, toasts } = await open();
  const factor = screen.getByRole('combobox', { name: 'Second factor' });
  expect(factor).toHaveDisplayValue('Offered');
  await userEvent.selectOptions(factor, 'Required of administrators');
  expect(factor).toHaveAccessibleDescription(/^Default: Offered\. Administrators without/);
  const days = screen.getByRole('textbox', { name: 'Days until a session ends' });
  await userEvent.clear(days);
  await userEvent.type(days, '91');
  await userEvent.click(screen.getByRole('button', { name: 'Save security' }));
  expect(days).toHaveAccessibleDescription(/^Please enter a whole number from 1 to 90/);
  expect(server.times(changeTeamSettings)).toBe(0);

  const security = {
    ...DEFAULT_SECURITY,
    secondFactor: 'admins' as const,
    sessionDays: 30,
    refuseCommonPasswords: true,
  };
  server.responds(changeTeamSettings, {
    settings: { ...TEAM_SETTINGS.settings, security },
    changes: {
      ...TEAM_SETTINGS.changes,
      security: { at: '2026-11-16T09:30:00.000Z', by: 'Ada Lovelace', reset: false },
    },
  });
  await userEvent.clear(days);
  await userEvent.type(days, '30');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Refuse the 10,000 most common passwords/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save security' }));
  await waitFor(() => expect(toasts).toEqual(['Settings saved']));
  expect(server.last(changeTeamSettings)?.body).toEqual({ security });

  await userEvent.clear(screen.getByLabelText('Hours without use until it ends'));
  await userEvent.click(screen.getByRole('button', { name: 'Save security' }));
  await waitFor(() =>
    expect(server.last(changeTeamSettings)?.body).toEqual({ security: { ...security, idleHours: null } }),
  );
});
