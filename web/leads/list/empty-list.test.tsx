import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useOpenDialog } from '#web/commands/dialogs.ts';
import { bob } from '#web/testing/fixtures.ts';
import { lastQuery, openList, press } from '#web/testing/lead-list.tsx';
import { show } from '#web/testing/show.tsx';

function OpenedFind() {
  const dialog = useOpenDialog();
  return <output>{dialog?.name === 'find' && dialog.text}</output>;
}

test('a filtered list that is empty offers to search everything for the typed name', async () => {
  window.history.replaceState(null, '', '/crm?q=bakery');
  await openList([], { as: bob });
  show(<OpenedFind />);
  await press('Search everything');
  expect(screen.getByText('bakery', { selector: 'output' })).toBeInTheDocument();
});

test('a filtered list that is empty offers the archived and closed leads, with the other filters kept', async () => {
  window.history.replaceState(null, '', '/crm?q=bakery');
  const { server } = await openList([], { as: bob });
  await press('Search archived and closed too');
  await waitFor(() =>
    expect(lastQuery(server)).toMatchObject({ q: 'bakery', hideClosed: 'false', archived: 'true', existing: 'true' }),
  );
  expect(screen.queryByRole('button', { name: 'Search archived and closed too' })).toBeNull();
  expect(screen.getByText(/^No lead matches the search and filters in use. Clear them/)).toBeVisible();
  expect(screen.queryByText('Your administrator will assign businesses to you when available.')).toBeNull();
});

test('an empty list without filters offers neither', async () => {
  await openList([], { as: bob });
  expect(screen.queryByRole('button', { name: /^Search/ })).toBeNull();
});
