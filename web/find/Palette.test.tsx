import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FoundLead, find } from '#contract/find/find.calls.ts';
import type { LeadProfile } from '#contract/leads/lead.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import type { Role } from '#contract/users/user.ts';
import { useCommands } from '#web/commands/commands.ts';
import { openFind } from '#web/commands/dialogs.ts';
import { addRecentLead } from '#web/leads/recent-leads.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, bob } from '#web/testing/fixtures.ts';
import { aProfile } from '#web/testing/lead-profile.tsx';
import { show } from '#web/testing/show.tsx';
import { Commands } from './Commands.tsx';

const aFoundLead = (lead: Partial<FoundLead> = {}): FoundLead => ({
  id: 5,
  uuid: '00000000-0000-4000-8000-000000000005',
  name: 'Blue Door Bakery',
  town: 'York',
  status: 'recontact',
  archived: false,
  existingCustomer: false,
  holder: { id: ada.id, username: ada.username, fullName: ada.fullName },
  match: { field: 'phone', text: '0114 496 0716' },
  objections: [],
  ...lead,
});
const NOTHING = { leads: [], moreLeads: false, similar: false, users: [] };

interface PaletteOptions {
  role?: Role;
  text?: string;
  /** The leads that the viewer opened last and may still see, by uuid. */
  recent?: Record<string, LeadProfile | Promise<LeadProfile>>;
  /** What is mounted beside it. */
  children?: ReactNode;
}

async function openPalette({ role = 'admin', text = '', recent = {}, children }: PaletteOptions = {}) {
  Element.prototype.scrollIntoView ??= () => {};
  const server = fakeServer();
  server.responds(find, NOTHING);
  server.handles(getLead.byUuid, async ({ path }) => {
    const profile = await recent[path.split('/').at(-1) ?? ''];
    return profile ? Response.json(profile) : Response.json({ code: 'not_found', message: 'Gone' }, { status: 404 });
  });
  const view = show(
    <>
      <button type="button" onClick={() => openFind()}>
        Open
      </button>
      <Commands />
      {children}
    </>,
    { as: { ...ada, role } },
  );
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Find anything' }));
  const input = dialog.getByRole('combobox', { name: 'Find anything' });
  if (text) await userEvent.type(input, text);
  return { server, dialog, input, ...view };
}

const options = () => screen.queryAllByRole('option').map((option) => option.textContent);

test.each<[Role, string[]]>([
  [
    'user',
    [
      'Today',
      'Open your trip',
      'Leads',
      'Search',
      'Coverage',
      'Reports',
      'Recent changes',
      'Proposals',
      'Your account',
      'On your phone',
      'Territories',
    ],
  ],
  [
    'manager',
    [
      'Today',
      'Open your trip',
      'Leads',
      'Search',
      'Coverage',
      'Progress',
      'Reports',
      'Recent changes',
      'Proposals',
      'Your account',
      'On your phone',
      'Territories',
    ],
  ],
  [
    'admin',
    [
      'Today',
      'Open your trip',
      'Leads',
      'Search',
      'Coverage',
      'Progress',
      'Reports',
      'Import',
      'Users',
      'Do not contact',
      'Recent changes',
      'Proposals',
      'Duplicates',
      'Sweeps',
      'Audit log',
      'System',
      'Settings',
      'Your account',
      'On your phone',
      'Territories',
    ],
  ],
])('without text, a %s is offered the screens %j', async (role, screens) => {
  const { dialog } = await openPalette({ role });
  const group = within(dialog.getByRole('group', { name: 'Go to' }));
  expect(group.getAllByRole('option').map((option) => option.textContent?.replace(/G?then.*/, ''))).toEqual(screens);
});

test('the leads opened last are offered, and Enter opens one', async () => {
  for (const uuid of ['gone', 'a1', 'b2', 'a1']) addRecentLead(ada.id, uuid);
  const { dialog } = await openPalette({
    recent: {
      a1: aProfile({ lead: { uuid: 'a1' }, business: { name: 'Old Mill', formattedAddress: 'Leeds' } }),
      b2: aProfile({ lead: { uuid: 'b2' }, business: { name: 'Harbour Inn', formattedAddress: null } }),
    },
  });
  const group = within(await dialog.findByRole('group', { name: 'Recent leads' }));
  await waitFor(() =>
    expect(group.getAllByRole('option').map((option) => option.textContent)).toEqual(['Old MillLeeds', 'Harbour Inn']),
  );

  await userEvent.keyboard('{Home}{ArrowDown}{Enter}');
  await waitFor(() => expect(window.location.pathname).toBe('/business/uuid/b2'));
});

test('a lead is shown with the reason, the matching part marked, and its marks', async () => {
  const { server, input } = await openPalette();
  server.responds(find, {
    ...NOTHING,
    leads: [aFoundLead({ archived: true, existingCustomer: true, holder: { ...bob } })],
  });
  await userEvent.type(input, '0716');
  const option = await screen.findByRole('option', { name: /Blue Door Bakery/ });
  expect(option).toHaveTextContent('Phone: 0114 496 0716');
  expect(option).toHaveTextContent('York');
  expect(option).toHaveTextContent('Archived');
  expect(option).toHaveTextContent('Existing customer');
  expect(option).toHaveTextContent('Recontact');
  expect(option).toHaveTextContent('Bob Cratchit');
  expect(option.querySelector('mark')).toHaveTextContent(/^0716$/);
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('1 lead found'));

  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(window.location.pathname).toBe('/business/uuid/00000000-0000-4000-8000-000000000005'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('one request is sent for a text that is typed quickly', async () => {
  const { server } = await openPalette({ text: 'bakery' });
  await waitFor(() => expect(server.last(find)?.path).toBe('/api/find?q=bakery'));
  expect(server.times(find)).toBeLessThan(6);
});

test('the previous results stay while the next ones load', async () => {
  const { server, input } = await openPalette();
  server.responds(find, { ...NOTHING, leads: [aFoundLead()] });
  await userEvent.type(input, '07');
  await screen.findByRole('option', { name: /Blue Door Bakery/ });
  server.holds(find);
  await userEvent.type(input, '16');
  await waitFor(() => expect(server.last(find)?.path).toBe('/api/find?q=0716'));
  expect(screen.getByRole('option', { name: /Blue Door Bakery/ })).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('Searching…');
});

test('nothing found is said, with the text', async () => {
  await openPalette({ text: 'zzz' });
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Nothing found for “zzz”'));
  expect(options()).toEqual([]);
});

test('similar leads are said to be similar', async () => {
  const { server, input } = await openPalette();
  server.responds(find, {
    ...NOTHING,
    similar: true,
    leads: [aFoundLead({ match: { field: 'name', text: 'Blue Door Bakery' } })],
  });
  await userEvent.type(input, 'bakrey');
  await screen.findByRole('option', { name: /Blue Door Bakery/ });
  await waitFor(() =>
    expect(screen.getByRole('status')).toHaveTextContent('No exact match. These leads are similar. 1 lead found'),
  );
});

test('a failed search says why and can be tried again', async () => {
  const { server, input } = await openPalette();
  server.refuses(find, 'internal', 'Something went wrong');
  await userEvent.type(input, 'bakery');
  const retry = await screen.findByRole('option', { name: /Try again/ });
  expect(retry).toHaveTextContent('Something went wrong');
  server.responds(find, { ...NOTHING, leads: [aFoundLead()] });
  await userEvent.click(retry);
  await screen.findByRole('option', { name: /Blue Door Bakery/ });
});

test('users are listed after leads, and open their leads', async () => {
  const { server, input } = await openPalette();
  const { id, username, fullName, email, role, active } = bob;
  server.responds(find, {
    ...NOTHING,
    leads: [aFoundLead()],
    users: [{ id, username, fullName, email, role, active }],
  });
  await userEvent.type(input, 'bob');
  await userEvent.click(await screen.findByRole('option', { name: /Bob Cratchit/ }));
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe(`/crm?user=${bob.id}`));
});

test('text finds commands by their words, before the leads', async () => {
  const { server, input } = await openPalette();
  server.responds(find, { ...NOTHING, leads: [aFoundLead()] });
  await userEvent.type(input, 'dar');
  await screen.findByRole('option', { name: /Blue Door Bakery/ });
  expect(options()[0]).toBe('Theme: Dark');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
  delete document.documentElement.dataset.theme;
});

const setNew = vi.fn();
beforeEach(() => setNew.mockClear());

function ProfileCommands() {
  useCommands({ setNew, logActivity: () => {} });
  return null;
}

test('Enter without a text opens the first recent lead once it is loaded, never a change', async () => {
  addRecentLead(ada.id, 'a1');
  let resolve: (profile: LeadProfile) => void = () => {};
  const promise = new Promise<LeadProfile>((resolved) => {
    resolve = resolved;
  });
  const { dialog } = await openPalette({ children: <ProfileCommands />, recent: { a1: promise } });
  expect(dialog.getByRole('option', { name: /Set status to New Lead/ })).toHaveAttribute('aria-selected', 'false');
  await userEvent.keyboard('{Enter}');
  expect(dialog.getByRole('combobox')).toBeVisible();
  resolve(aProfile({ lead: { uuid: 'a1' }, business: { name: 'Old Mill' } }));
  await waitFor(() => expect(window.location.pathname).toBe('/business/uuid/a1'));
  expect(setNew).not.toHaveBeenCalled();
});

test('without recent leads, the first option that changes nothing is preselected', async () => {
  const { dialog } = await openPalette({ children: <ProfileCommands /> });
  const option = await dialog.findByRole('option', { name: /Log a contact/ });
  await waitFor(() => expect(option).toHaveAttribute('aria-selected', 'true'));
  expect(dialog.getByRole('combobox')).toHaveAttribute('aria-activedescendant', option.id);
});

test('Enter before the results have come opens the first of them', async () => {
  const { server, input } = await openPalette({ children: <ProfileCommands /> });
  const held = server.holds(find);
  await userEvent.type(input, 'new{Enter}');
  expect(screen.getByRole('option', { name: /Set status to New Lead/ })).toBeVisible();
  await waitFor(() => expect(server.last(find)?.path).toBe('/api/find?q=new'));
  held.respond({ ...NOTHING, leads: [aFoundLead({ name: 'Newton Bakery' })] });
  await waitFor(() => expect(window.location.pathname).toBe('/business/uuid/00000000-0000-4000-8000-000000000005'));
  expect(setNew).not.toHaveBeenCalled();
});

test('a change runs once the user has moved to it', async () => {
  const { input } = await openPalette({ children: <ProfileCommands />, text: 'status' });
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Nothing found'));
  await userEvent.type(input, '{Enter}');
  expect(setNew).not.toHaveBeenCalled();
  await userEvent.type(input, '{ArrowDown}{Enter}');
  await waitFor(() => expect(setNew).toHaveBeenCalledOnce());
});

test('Escape closes it and returns the focus', async () => {
  await openPalette();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('what is typed before the palette has loaded is kept, and runs no other command', async () => {
  const server = fakeServer();
  server.responds(find, NOTHING);
  show(<Commands />);
  await userEvent.keyboard('/glx');
  expect(await screen.findByRole('combobox', { name: 'Find anything' })).toHaveValue('glx');
  expect(window.location.pathname).toBe('/');
  await userEvent.keyboard(' y');
  expect(screen.getByRole('combobox', { name: 'Find anything' })).toHaveValue('glx y');
});
