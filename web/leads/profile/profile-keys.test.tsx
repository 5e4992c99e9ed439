import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { changeLeadStatus, listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import { availableCommands } from '#web/commands/commands.ts';
import { readRecentLeads } from '#web/leads/recent-leads.ts';
import { enableKeys } from '#web/testing/keyboard.ts';
import { bakery, button, lead, openProfile, otherUser, priya, UUID } from '#web/testing/lead-profile.tsx';

async function openWithKeys(options: Parameters<typeof openProfile>[0] = {}) {
  enableKeys(options.as?.id ?? priya.id);
  return openProfile(options);
}

test.each([
  ['2', 'in_progress'],
  ['3', 'recontact'],
  ['4', 'closed_won'],
  ['5', 'closed_lost'],
] as const)('%s sets the status %s, and the focus stays', async (key, status) => {
  const { server, toasts } = await openWithKeys();
  server.responds(changeLeadStatus.byId, { ...lead, status });
  const edit = button('Edit phone');
  edit.focus();
  await userEvent.keyboard(key);
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  expect(server.last(changeLeadStatus.byId)?.body).toEqual({ status });
  expect(edit).toHaveFocus();
});

test('1 sets the status new', async () => {
  const { server } = await openWithKeys({ lead: { status: 'recontact' } });
  server.responds(changeLeadStatus.byId, { ...lead, status: 'new' });
  await userEvent.keyboard('1');
  await waitFor(() => expect(server.last(changeLeadStatus.byId)?.body).toEqual({ status: 'new' }));
});

test('a key pressed on a status button moves the focus to the button of the new status', async () => {
  const { server, toasts } = await openWithKeys();
  const held = server.holds(changeLeadStatus.byId);
  button('New Lead').focus();
  await userEvent.keyboard('3');
  await waitFor(() => expect(button('Recontact')).toHaveAttribute('aria-pressed', 'true'));
  expect(button('Recontact')).toHaveFocus();
  held.respond({ ...lead, status: 'recontact' });
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  expect(button('Recontact')).toHaveFocus();
});

test.each([
  ['n', 'Notes'],
  ['t', 'New tag'],
])('%s moves to the field "%s"', async (key, label) => {
  await openWithKeys();
  await userEvent.keyboard(key);
  expect(screen.getByRole('textbox', { name: label })).toHaveFocus();
});

test('l opens the sheet that logs a contact', async () => {
  await openWithKeys();
  await userEvent.keyboard('l');
  expect(await screen.findByRole('dialog', { name: 'Log contact' })).toBeVisible();
  expect(button('No answer')).toHaveFocus();
});

test('c calls the phone number, and the sheet asks for the outcome', async () => {
  await openWithKeys();
  const called: string[] = [];
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    called.push((event.target as HTMLAnchorElement).href);
  };
  document.addEventListener('click', follow);
  onTestFinished(() => document.removeEventListener('click', follow));
  await userEvent.keyboard('c');
  expect(called).toEqual(['tel:02079460018']);
  expect(await screen.findByRole('dialog', { name: 'Log contact' })).toBeVisible();
});

test('r opens the reassignment', async () => {
  const { server } = await openWithKeys();
  server.responds(listUsersForReassignment, []);
  await userEvent.keyboard('r');
  expect(await screen.findByRole('dialog', { name: /Reassign/ })).toBeVisible();
});

test('Escape goes back to the list, but not from a field', async () => {
  await openWithKeys();
  await userEvent.keyboard('n{Escape}');
  expect(window.location.pathname).not.toBe('/crm');
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('{Escape}');
  expect(window.location.pathname).toBe('/crm');
});

test('the palette offers what the viewer may do with the lead', async () => {
  await openWithKeys();
  expect(availableCommands()).toEqual(
    expect.arrayContaining(['setNew', 'setClosedLost', 'call', 'logActivity', 'writeNotes', 'addTag', 'reassign']),
  );
});

test('a manager who does not hold the lead may read the notes, call and reassign', async () => {
  await openWithKeys({ as: otherUser('manager') });
  expect(availableCommands()).toEqual(['call', 'writeNotes', 'reassign']);
});

test.each([
  ['without a phone number', { phone: null }],
  ['with a wrong one', { phoneIsWrong: true }],
])('a lead %s offers no call', async (_, business) => {
  await openWithKeys({ business });
  expect(availableCommands()).not.toContain('call');
  expect(screen.queryByRole('link', { name: 'Call' })).toBeNull();
});

test('an opened lead is a recent lead, whose name is not stored', async () => {
  await openWithKeys();
  expect(readRecentLeads(priya.id)).toEqual([UUID]);
  expect(JSON.stringify({ ...localStorage })).not.toContain(bakery.name);
});
