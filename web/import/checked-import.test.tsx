import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ImportPreview } from '#contract/import/import-job.ts';
import { checkImport, getImport, listImports, mapImport, startImport } from '#contract/import/import-jobs.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aUser, bob } from '#web/testing/fixtures.ts';
import { anImport, aPreview } from '#web/testing/imports.ts';
import { show } from '#web/testing/show.tsx';
import { ImportJobScreen } from './ImportJobScreen.tsx';

const BAKERY = {
  row: 12,
  name: 'Blue Door Bakery',
  match: {
    businessId: 7,
    name: 'Blue Door Bakery Ltd',
    town: 'Harrogate',
    reasons: ['phone' as const, 'name_town' as const],
    score: 0.9,
  },
};
const BOOKS = {
  row: 30,
  name: 'Crag Books',
  match: { businessId: 8, name: 'Crag Book Shop', town: null, reasons: ['website' as const], score: 0.8 },
};

async function open(preview: Partial<ImportPreview> = {}) {
  const server = fakeServer();
  const columns = anImport().columns.with(2, { heading: 'Owner', samples: ['sam'], target: 'User' });
  server.responds(getImport, anImport({ state: 'checked', columns, preview: aPreview(preview) }));
  server.responds(listImports, { items: [] });
  server.responds(listUsers, [ada, bob, aUser({ username: 'gone', active: false })]);
  server.responds(startImport, anImport({ state: 'running' }));
  const shown = show(<ImportJobScreen id={anImport().id} />);
  await screen.findByRole('heading', { level: 2, name: 'What will happen' });
  return { server, ...shown };
}

const count = (label: string) => screen.getByText(label, { selector: 'dt' }).nextSibling;
const start = (name: string) => screen.getByRole('button', { name });

test('the counts of the whole file, new tags and refused rows are shown', async () => {
  await open({
    newTags: ['Spring', 'Bakery'],
    newTagCount: 5,
    refused: 300,
    refusedRows: [{ row: 4, reason: 'Business Name is required', cells: [''], wrong: [0] }],
  });
  expect(count('New businesses')).toHaveTextContent('6');
  expect(count('New leads')).toHaveTextContent('7');
  expect(count('Already there')).toHaveTextContent('1');
  expect(count('Repeated in the file')).toHaveTextContent('1');
  expect(count('Refused')).toHaveTextContent('300');
  expect(screen.getByText('Spring, Bakery and 3 more')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Rows that are refused' })).toHaveTextContent(
    'Row 4: Business Name is required',
  );
  expect(screen.getByText(/The list has the first 1 row\./)).toBeVisible();
  expect(start('Import 7 businesses')).toBeEnabled();
  expect(screen.queryByText('Unknown users')).toBeNull();
});

test('the rows of an unknown user go to an active one, or are refused', async () => {
  const { server } = await open({
    unknownUsers: [
      { username: 'sam', rows: 3 },
      { username: 'kim', rows: 1 },
    ],
    refused: 5,
    refusedRows: [
      { row: 4, reason: 'User "Sam" does not exist', cells: ['Crag Books', '', ' Sam '], wrong: [2] },
      { row: 5, reason: 'User "kim" does not exist', cells: ['Elm Shoes', '', 'kim'], wrong: [2] },
      { row: 6, reason: 'Too long', cells: ['Fir Café', '', 'sam'], wrong: [] },
    ],
  });
  const refusedRows = () =>
    within(screen.getByRole('region', { name: 'Rows that are refused' }))
      .getAllByRole('listitem')
      .map((row) => row.textContent?.slice(0, 5));
  expect(refusedRows()).toEqual(['Row 4', 'Row 5', 'Row 6']);
  const sam = screen.getByRole('combobox', { name: 'Rows of sam go to' });
  await waitFor(() => expect(within(sam).getAllByRole('option')).toHaveLength(3));
  expect(
    within(sam)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Refuse these rows', 'Ada Lovelace (ada)', 'Bob Cratchit (bob)']);
  expect(sam).toHaveDisplayValue('Refuse these rows');
  await userEvent.selectOptions(sam, 'Bob Cratchit (bob)');
  expect(count('New leads')).toHaveTextContent('10');
  expect(count('Refused')).toHaveTextContent('2');
  expect(refusedRows()).toEqual(['Row 5', 'Row 6']);
  await userEvent.click(start('Import 10 businesses'));
  await screen.findByRole('heading', { name: 'Importing' });
  expect(server.last(startImport)?.body).toEqual({
    replacements: [{ username: 'sam', userId: bob.id }],
    useExisting: true,
    exceptions: [],
  });
});

test('look-alikes have one choice for all, and exceptions that keep their own', async () => {
  const { server } = await open({ lookAlikes: [BAKERY, BOOKS], lookAlikeCount: 120 });
  expect(screen.getByRole('heading', { name: '120 businesses look like existing ones' })).toBeVisible();
  expect(
    screen.getByText(
      'Row 12: Blue Door Bakery looks like Blue Door Bakery Ltd in Harrogate: same phone, similar name, same town',
    ),
  ).toBeVisible();
  expect(screen.getByText('Row 30: Crag Books looks like Crag Book Shop: same website')).toBeVisible();
  expect(screen.getByText(/the other 118 follow the choice for all/)).toBeVisible();
  const all = screen.getByRole('combobox', { name: 'All of them' });
  const bakery = screen.getByRole('combobox', { name: 'Row 12' });
  expect(all).toHaveDisplayValue('Use the existing business');
  await userEvent.selectOptions(all, 'Add as new');
  expect(bakery).toHaveDisplayValue('Add as new');
  await userEvent.selectOptions(bakery, 'Use the existing business');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Row 30' }), 'Add as new');
  expect(count('New businesses')).toHaveTextContent('125');
  await userEvent.click(start('Import 119 businesses'));
  await waitFor(() =>
    expect(server.last(startImport)?.body).toEqual({ replacements: [], useExisting: false, exceptions: [12] }),
  );
});

test('the choices stay when the start is refused', async () => {
  const { server, toasts } = await open({ lookAlikes: [BAKERY, BOOKS], lookAlikeCount: 2 });
  server.refuses(startImport, 'import_running', 'Another import is running.');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'All of them' }), 'Add as new');
  await userEvent.click(start('Import 7 businesses'));
  await waitFor(() => expect(toasts).toEqual(['The import could not be started | 409: Another import is running.']));
  expect(screen.getByRole('combobox', { name: 'All of them' })).toHaveDisplayValue('Add as new');
});

test('a file without anything new cannot be imported', async () => {
  await open({ newLeads: 0 });
  expect(start('Import 0 businesses')).toBeDisabled();
  expect(screen.getByText('Nothing in this file can be added.')).toBeVisible();
});

test('a file whose only businesses look like leads that exist can still be added as new', async () => {
  await open({ newLeads: 0, newBusinesses: 0, lookAlikes: [BAKERY], lookAlikeCount: 1 });
  expect(start('Import 0 businesses')).toBeDisabled();
  expect(screen.queryByRole('combobox', { name: 'All of them' })).toBeNull();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Row 12' }), 'Add as new');
  expect(start('Import 1 business')).toBeEnabled();
});

test('rows without a user are shared out once the file was checked with that choice', async () => {
  const withoutUser = { rows: 7, choice: null, shares: [] };
  const { server } = await open({ withoutUser, lookAlikes: [BAKERY], lookAlikeCount: 1 });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Row 12' }), 'Add as new');
  expect(screen.getByText('7 rows name no user. Who gets them?')).toBeVisible();
  expect(screen.getByRole('button', { name: 'To me' })).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(screen.getByRole('button', { name: 'Each to its own territory' }));
  expect(start('Import 7 businesses')).toBeDisabled();
  const fallback = screen.getByRole('combobox', { name: 'Outside all territories' });
  await waitFor(() => expect(within(fallback).getAllByRole('option')).toHaveLength(2));
  await userEvent.selectOptions(fallback, 'Bob Cratchit (bob)');
  const choice = { way: 'territory' as const, fallbackUserId: bob.id };
  const shares = [
    { userId: ada.id, fullName: ada.fullName, count: 4, fallback: 0, held: 1 },
    { userId: bob.id, fullName: bob.fullName, count: 2, fallback: 2, held: 0 },
  ];
  const preview = aPreview({ withoutUser: { rows: 7, choice, shares }, lookAlikes: [BAKERY], lookAlikeCount: 1 });
  server.responds(checkImport, anImport({ state: 'checked', preview }));
  await userEvent.click(screen.getByRole('button', { name: 'Check the file with this choice' }));
  expect(await screen.findByText('Ada Lovelace 4, outside all territories: 2 → Bob Cratchit')).toBeVisible();
  expect(server.last(checkImport)?.body).toEqual({ withoutUser: choice });
  // What was decided before is kept.
  expect(screen.getByRole('combobox', { name: 'Row 12' })).toHaveDisplayValue('Add as new');
  await userEvent.click(start('Import 7 businesses'));
  await waitFor(() => expect(server.last(startImport)?.body).toMatchObject({ exceptions: [12] }));
});

test('the columns can be opened again, and the file checked again', async () => {
  const { server } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Back to columns' }));
  expect(screen.getByRole('heading', { name: 'Match columns' })).toHaveFocus();
  server.responds(mapImport, anImport());
  server.responds(checkImport, anImport({ state: 'checking' }));
  await userEvent.click(screen.getByRole('button', { name: 'Check file' }));
  expect(await screen.findByRole('heading', { name: 'What will happen' })).toBeVisible();
});
