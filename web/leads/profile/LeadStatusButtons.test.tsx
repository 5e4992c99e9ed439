import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { LEAD_STATUS_LABEL, leadStatus, MAIN_STATUSES } from '#contract/leads/lead.ts';
import { changeLeadStatus, getLead } from '#contract/leads/leads.calls.ts';
import { onStatusChanged } from '#web/progress/progress.data.ts';
import { aProfile, lead, openProfile, otherUser, press } from '#web/testing/lead-profile.tsx';

const group = () => within(screen.getByRole('group', { name: 'Lead status' }));
const labels = () =>
  group()
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
const pressed = () => group().getByRole('button', { pressed: true }).textContent;
const FIVE = ['New Lead', 'In Progress', 'Recontact', 'Closed (Won)', 'Closed (Lost)'];

test.each(leadStatus.options)('%s is pressed among the five statuses, or added to them', async (status) => {
  await openProfile({ lead: { status } });
  const shown = status === 'new' ? 'New Lead' : LEAD_STATUS_LABEL[status];
  expect(labels()).toEqual(MAIN_STATUSES.includes(status) ? FIVE : [...FIVE, shown]);
  expect(pressed()).toBe(shown);
});

test('"More statuses" has the other three, by keyboard too', async () => {
  const { server, toasts } = await openProfile();
  server.responds(changeLeadStatus.byId, { ...lead, status: 'proposal' });
  const more = screen.getByRole('button', { name: 'More statuses' });
  more.focus();
  await userEvent.keyboard('{Enter}');
  const items = within(await screen.findByRole('menu')).getAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Qualified', 'Proposal', 'Negotiation']);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  expect(server.last(changeLeadStatus.byId)?.body).toEqual({ status: 'proposal' });
  expect(labels()).toEqual([...FIVE, 'Proposal']);
  expect(pressed()).toBe('Proposal');
  expect(more).toHaveFocus();
});

test('who may not change the lead has no "More statuses"', async () => {
  await openProfile({ as: otherUser('manager') });
  expect(screen.queryByRole('button', { name: 'More statuses' })).toBeNull();
});

test('a status is shown at once, saved, and dispatched as an event', async () => {
  const { server, toasts } = await openProfile();
  const held = server.holds(changeLeadStatus.byId);
  const listener = vi.fn();
  const unsubscribe = onStatusChanged(listener);

  await press('In Progress');
  await waitFor(() => expect(pressed()).toBe('In Progress'));
  for (const button of group().getAllByRole('button', { pressed: false })) expect(button).toBeDisabled();
  expect(listener).not.toHaveBeenCalled();

  held.respond({ ...lead, status: 'in_progress', lastContactedAt: '2026-07-02T09:05:00.000Z' });
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  await waitFor(() => expect(listener).toHaveBeenCalledOnce());
  expect(server.last(changeLeadStatus.byId)).toMatchObject({
    path: '/api/business-status/5',
    body: { status: 'in_progress' },
  });
  expect(await screen.findByText('Last Contact:')).toBeVisible();
  unsubscribe();
});

test('the pressed button keeps the focus while the status is saved, and sends it once', async () => {
  const { server, toasts } = await openProfile();
  const held = server.holds(changeLeadStatus.byId);
  await press('In Progress');
  const pressedButton = await group().findByRole('button', { name: 'In Progress', pressed: true });
  expect(pressedButton).toHaveFocus();
  expect(pressedButton).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  await userEvent.click(pressedButton);

  held.respond({ ...lead, status: 'in_progress' });
  await waitFor(() => expect(toasts).toEqual(['Status updated']));
  await waitFor(() => expect(pressedButton).not.toHaveAttribute('aria-disabled'));
  expect(pressedButton).toHaveFocus();
  expect(server.times(changeLeadStatus.byId)).toBe(1);
});

test('the current status is not sent', async () => {
  const { server, toasts } = await openProfile({ lead: { status: 'recontact' } });
  await press('Recontact');
  expect(server.times(changeLeadStatus.byId)).toBe(0);
  expect(toasts).toEqual([]);
});

test('a refused status is rolled back', async () => {
  const { server, toasts } = await openProfile();
  server.refuses(changeLeadStatus.byId, 'rate_limited', 'Too many requests');
  server.responds(getLead.byId, aProfile());
  await press('Recontact');
  await waitFor(() => expect(toasts).toEqual(['Status update failed | 429: Too many requests']));
  await waitFor(() => expect(pressed()).toBe('New Lead'));
  expect(group().getByRole('button', { name: 'Recontact' })).toBeEnabled();
});

test('a lead that was reassigned meanwhile shows its error card', async () => {
  const { server } = await openProfile();
  server.refuses(changeLeadStatus.byId, 'not_your_lead', 'This lead is assigned to another user');
  server.refuses(getLead.byId, 'not_your_lead', 'This lead is assigned to another user');
  await press('Recontact');
  expect(await screen.findByRole('heading', { name: 'Customer Assigned to Another User' })).toBeVisible();
});

test('a viewer who may not change the lead has disabled buttons', async () => {
  await openProfile({ as: otherUser('manager') });
  for (const button of group().getAllByRole('button')) expect(button).toBeDisabled();
  expect(pressed()).toBe('New Lead');
});
