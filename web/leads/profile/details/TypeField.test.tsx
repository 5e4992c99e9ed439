import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { changeBusinessType } from '#contract/leads/leads.calls.ts';
import { bakery, button, openProfile, otherUser, press } from '#web/testing/lead-profile.tsx';

const guessed = { business: { type: 'Cafe', typeGuessed: true } };
const CHANGE = 'Change type of business';

const GUESSED = '(guessed from the name)';

test('a guessed type says so', async () => {
  await openProfile(guessed);
  expect(screen.getByText('Cafe')).toHaveTextContent(`Cafe ${GUESSED}`);
});

test('a known type does not', async () => {
  await openProfile({ business: { type: 'Bakery', typeGuessed: false } });
  expect(screen.getByText('Bakery')).toBeVisible();
  expect(screen.queryByText(GUESSED)).toBeNull();
});

test('a guessed type is corrected, and is no guess any more', async () => {
  const { server, toasts } = await openProfile(guessed);
  server.responds(changeBusinessType, { ...bakery, type: 'Tea room', typeGuessed: false });
  await press(CHANGE);
  const select = screen.getByRole('combobox', { name: 'Type of business' });
  expect(select).toHaveFocus();
  expect(select).toHaveValue('Cafe');
  await userEvent.selectOptions(select, 'Tea room');
  await press('Save');
  await waitFor(() => expect(screen.getByText('Tea room')).toBeVisible());
  expect(server.last(changeBusinessType)).toMatchObject({
    path: `/api/business/${bakery.id}/update-type`,
    body: { type: 'Tea room' },
  });
  expect(toasts).toEqual(['Type of business updated']);
  expect(screen.queryByText(GUESSED)).toBeNull();
  expect(button(CHANGE)).toHaveFocus();
});

test('none of the types may fit', async () => {
  const { server } = await openProfile(guessed);
  server.responds(changeBusinessType, { ...bakery, type: null, typeGuessed: false });
  await press(CHANGE);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type of business' }), 'None of these');
  await press('Save');
  expect(await screen.findByText('Not known')).toBeVisible();
  expect(server.last(changeBusinessType)?.body).toEqual({ type: null });
});

test('Cancel and Escape leave the type, and a refused change stays open', async () => {
  const { server, toasts } = await openProfile(guessed);
  await press(CHANGE);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type of business' }), 'Pub');
  await press('Cancel');
  await press(CHANGE);
  expect(screen.getByRole('combobox', { name: 'Type of business' })).toHaveValue('Cafe');
  await userEvent.keyboard('{Escape}');
  expect(button(CHANGE)).toHaveFocus();
  expect(server.times(changeBusinessType)).toBe(0);

  server.refuses(changeBusinessType, 'not_your_lead', 'This lead is assigned to another user');
  await press(CHANGE);
  await press('Save');
  await waitFor(() => expect(toasts).toEqual(['Type update failed | 403: This lead is assigned to another user']));
  expect(screen.getByRole('combobox', { name: 'Type of business' })).toBeVisible();
});

test('users who may not change the lead see the type only', async () => {
  await openProfile({ ...guessed, as: otherUser('manager') });
  expect(screen.getByText(GUESSED)).toBeVisible();
  expect(screen.queryByRole('button', { name: CHANGE })).toBeNull();
});
