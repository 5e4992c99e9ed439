import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { changeLeadStatus, deleteActivity, getLead, removeTag } from '#contract/leads/leads.calls.ts';
import { anActivity, lead, openProfile, openTab, press, stubConfirm } from '#web/testing/lead-profile.tsx';

const status = () =>
  within(screen.getByRole('group', { name: 'Lead status' })).getByRole('button', { pressed: true }).textContent;
const tags = () =>
  within(screen.getByRole('list', { name: 'Custom tags' }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('a refused change is rolled back alone, without what was saved meanwhile', async () => {
  const { server, toasts } = await openProfile({ lead: { tags: ['hot', 'market'] } });
  stubConfirm(true);
  const changing = server.holds(changeLeadStatus.byId);
  await press('In Progress');
  await waitFor(() => expect(status()).toBe('In Progress'));

  server.responds(removeTag.byId, { ...lead, tags: ['market'] });
  await press('Remove tag hot');
  await waitFor(() => expect(toasts).toEqual(['Tag removed']));
  // The response to the second change lacks the first, which is still pending.
  expect(status()).toBe('In Progress');

  const reading = server.holds(getLead.byId);
  changing.refuse('rate_limited', 'Too many requests');
  await waitFor(() => expect(status()).toBe('New Lead'));
  expect(tags()).toEqual(['market']);
  reading.refuse('internal', 'Something went wrong');
  await waitFor(() => expect(toasts.at(-1)).toBe('Status update failed | 429: Too many requests'));
  expect(tags()).toEqual(['market']);
});

test('of two tags removed at once, the refused one is shown again', async () => {
  const { server, toasts } = await openProfile({ lead: { tags: ['hot', 'market', 'north'] } });
  stubConfirm(true);
  const first = server.holds(removeTag.byId);
  await press('Remove tag hot');
  await waitFor(() => expect(tags()).toEqual(['market', 'north']));
  const second = server.holds(removeTag.byId);
  await press('Remove tag market');
  await waitFor(() => expect(tags()).toEqual(['north']));

  server.holds(getLead.byId);
  first.refuse('rate_limited', 'Too many requests');
  await waitFor(() => expect(tags()).toEqual(['hot', 'north']));
  second.respond({ ...lead, tags: ['hot', 'north'] });
  await waitFor(() => expect(toasts.at(-1)).toBe('Tag removed'));
  expect(tags()).toEqual(['hot', 'north']);
});

test('an activity that could not be deleted is shown again at its position', async () => {
  const activities = [anActivity({ id: 1 }), anActivity({ id: 2 })];
  const { server } = await openProfile({ activities });
  stubConfirm(true);
  await openTab(/Activit/);
  const shown = () => screen.getAllByText(/^Activity \d$/).map(({ textContent }) => textContent);
  const before = shown();
  const deleting = server.holds(deleteActivity);
  const [remove] = screen.getAllByRole('button', { name: 'Delete activity' });
  remove?.click();
  await waitFor(() => expect(shown()).toHaveLength(1));
  server.holds(getLead.byId);
  deleting.refuse('rate_limited', 'Too many requests');
  await waitFor(() => expect(shown()).toEqual(before));
});

test('a deleted activity stays deleted, although the response has no activities', async () => {
  const { server, toasts } = await openProfile({ activities: [anActivity({ id: 1 }), anActivity({ id: 2 })] });
  stubConfirm(true);
  server.responds(deleteActivity, lead);
  const [remove] = screen.getAllByRole('button', { name: 'Delete activity' });
  remove?.click();
  await waitFor(() => expect(toasts).toEqual(['Activity deleted']));
  expect(await screen.findByRole('tab', { name: 'Contact Activities (1)' })).toBeVisible();
  expect(screen.getAllByText(/^Activity \d$/)).toHaveLength(1);
});
