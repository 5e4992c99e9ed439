import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { Objection } from '#contract/contact-rules/objection.ts';
import * as calls from '#contract/contact-rules/objections.calls.ts';
import { changeTeamSettings, getTeamSettings } from '#contract/settings/settings.calls.ts';
import { currentUrl } from '#web/testing/app.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { ObjectionsScreen } from './ObjectionsScreen.tsx';

beforeEach(() => window.history.replaceState(null, '', '/objections'));

const anObjection = (n: number, given: Partial<Objection> = {}): Objection => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  channel: 'call',
  subjects: [
    { kind: 'number', value: '020 7946 0018' },
    { kind: 'business', value: 'Crumb' },
  ],
  since: '2026-11-03T09:00:00.000Z',
  words: 'Never again',
  source: 'log',
  recordedAt: '2026-11-03T09:00:00.000Z',
  recordedBy: 'Priya Shah',
  lifted: null,
  ...given,
});
const GONE = anObjection(2, { channel: 'all', words: '', subjects: [{ kind: 'email', value: null }] });
const LIFTED = anObjection(3, { lifted: { at: '2026-11-05T09:00:00.000Z', by: 'Ada Lovelace', reason: 'By mistake' } });

function open(items: Objection[] = [anObjection(1), GONE, LIFTED], total = items.length) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(getTeamSettings, TEAM_SETTINGS);
  server.responds(calls.listObjections, { items, total });
  return { server, ...show(<ObjectionsScreen />) };
}
const rows = async () => within(await screen.findByRole('list', { name: 'Objections' })).getAllByRole('listitem');
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

test('each objection says what it is about, what was said, and who recorded and lifted it', async () => {
  open();
  const text = (await rows()).map(({ textContent }) => textContent).join('\n');
  for (const part of [
    '020 7946 0018',
    'Asked not to be called on Nov 3, 2026',
    '“Never again”',
    'Logged contact, recorded by Priya Shah',
    'E-mail (only its hash is kept)',
    'Asked not to be contacted at all on Nov 3, 2026',
    'Lifted by Ada Lovelace on Nov 5, 2026: By mistake',
  ]) {
    expect(text).toContain(part);
  }
  expect(screen.getAllByRole('button', { name: /^Lift the objection/ })).toHaveLength(2);
});

test('filters are in the URL and sent; nothing found can be cleared', async () => {
  const { server } = open([], 0);
  expect(await screen.findByRole('heading', { name: 'Nobody objected' })).toBeVisible();
  await userEvent.type(screen.getByLabelText('Number, e-mail address or business'), '0113{Enter}');
  await userEvent.selectOptions(screen.getByLabelText('Way of contact'), 'Calls');
  await userEvent.click(screen.getByLabelText('Also lifted ones'));
  expect(currentUrl()).toBe('/objections?q=0113&channel=call&lifted=true');
  await waitFor(() =>
    expect(server.last(calls.listObjections)?.path).toBe('/api/objections?q=0113&channel=call&lifted=true&page=1'),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(currentUrl()).toBe('/objections');
});

test('a list that could not be loaded can be tried again', async () => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.refuses(calls.listObjections, 'internal', 'Something went wrong');
  show(<ObjectionsScreen />);
  expect(await screen.findByText('The objections could not be loaded')).toBeVisible();
  server.responds(calls.listObjections, { items: [GONE], total: 1 });
  await press('Try Again');
  await waitFor(() => expect(screen.queryByText('The objections could not be loaded')).toBeNull());
});

test('lifting needs a reason', async () => {
  const { server, toasts } = open();
  await rows();
  await press('Lift the objection of 020 7946 0018, Crumb');
  await press('Lift it');
  expect(screen.getByText('Please enter a reason')).toBeVisible();
  expect(server.times(calls.liftObjection)).toBe(0);
  server.responds(calls.liftObjection, LIFTED);
  await userEvent.type(screen.getByLabelText('Reason'), 'They rang us');
  await press('Lift it');
  await waitFor(() => expect(toasts).toEqual(['Objection lifted']));
  expect(server.last(calls.liftObjection)).toMatchObject({ body: { reason: 'They rang us' } });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a number is added with the ways that concern it, and a refusal keeps what was typed', async () => {
  const { server } = open();
  await rows();
  await press('Add');
  const dialog = within(screen.getByRole('dialog', { name: 'Do not contact' }));
  const ways = () => within(dialog.getByLabelText('They do not want')).getAllByRole('option');
  expect(ways().map(({ textContent }) => textContent)).toEqual(['Calls', 'Text messages', 'Any contact']);
  server.refuses(calls.addObjection, 'validation_failed', 'Please enter a phone number');
  await userEvent.type(dialog.getByLabelText('Phone number'), '12');
  await userEvent.click(dialog.getByRole('button', { name: 'Record' }));
  expect(await dialog.findByText('Please enter a phone number')).toBeVisible();
  expect(dialog.getByLabelText('Phone number')).toHaveValue('12');
  server.responds(calls.addObjection, anObjection(4));
  await userEvent.click(dialog.getByRole('button', { name: 'Record' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(calls.addObjection)?.body).toEqual({ on: 'number', value: '12', channel: 'all', words: '' });
});

test('administrators are told that Highstreet warns, until one of them has chosen', async () => {
  const { server } = open();
  expect(await screen.findByText(/Highstreet warns before a call or an e-mail/)).toBeVisible();
  server.responds(changeTeamSettings, {
    ...TEAM_SETTINGS,
    changes: {
      ...TEAM_SETTINGS.changes,
      contactRules: { at: '2026-11-05T09:00:00.000Z', by: 'Ada Lovelace', reset: false },
    },
  });
  await press('Keep warning');
  await waitFor(() => expect(screen.queryByText(/Highstreet warns/)).toBeNull());
  expect(server.last(changeTeamSettings)?.body).toEqual({ contactRules: { mode: 'warn' } });
});
