import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getAssignmentHistory } from '#contract/leads/leads.calls.ts';
import { openProfile, openTab, press, profileServer, showLead } from '#web/testing/lead-profile.tsx';

const first = {
  history: { id: 1, createdAt: '2026-01-05T09:05:00.000Z', notes: null },
  newUser: { username: 'tom' },
  changedBy: { username: 'olivia' },
};
const second = {
  history: { id: 2, createdAt: '2026-07-02T23:30:00.000Z', notes: 'Holiday cover' },
  previousUser: { username: 'tom' },
  newUser: { username: 'priya' },
  changedBy: { username: 'marcus' },
};

test('rows show the holders, the time, the changing user and the notes', async () => {
  await openProfile({ history: [second, first] });
  expect(await screen.findByRole('tab', { name: 'Assignment History (2)' })).toBeVisible();
  await openTab(/History/);
  const rows = within(screen.getByRole('list', { name: 'Assignment history' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Reassigned from tom to priyaJul 3, 2026, 00:30 by marcusHoliday cover',
    'Initially assigned to tomJan 5, 2026, 09:05 by olivia',
  ]);
});

test('an empty history shows a message', async () => {
  await openProfile();
  await openTab(/History/);
  expect(await screen.findByText('No assignment history available')).toBeVisible();
});

test('a history that cannot be loaded can be retried, and the rest of the profile is shown', async () => {
  const server = profileServer();
  const held = server.holds(getAssignmentHistory.byId);
  showLead();
  await screen.findByRole('heading', { level: 1 });
  await openTab(/History/);
  expect(screen.getByText('Loading history…')).toBeInTheDocument();
  held.refuse('internal', 'Something went wrong');
  expect(await screen.findByText('The history could not be loaded')).toBeVisible();
  expect(screen.getByText('500: Something went wrong')).toBeVisible();

  server.responds(getAssignmentHistory.byId, [first]);
  await press('Try Again');
  expect(await screen.findByText('Initially assigned to tom')).toBeVisible();
});
