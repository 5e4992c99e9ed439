import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import {
  type ImportChoices,
  type ImportJob,
  type ImportPreview,
  type LookAlike,
  NO_CHOICES,
} from '#contract/import/import-job.ts';
import { checkImport, getImport, listImports, mapImport, startImport } from '#contract/import/import-jobs.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { ImportJobScreen } from '#web/import/ImportJobScreen.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aUser, bob, SETTINGS } from '#web/testing/fixtures.ts';
import { anImport, aPreview } from '#web/testing/imports.ts';
import { show } from '#web/testing/show.tsx';

const BAKERY: LookAlike = {
  ...{ row: 12, name: 'Blue Door Bakery', kind: 'held', decision: 'leave' },
  match: {
    ...{ businessId: 7, row: null, name: 'Blue Door Bakery Ltd', town: 'Harrogate', score: 0.9 },
    reasons: ['phone', 'name_town'],
  },
  holder: { name: 'Priya Shah', status: 'negotiation', others: 0 },
};
const BOOKS: LookAlike = {
  ...{ row: 30, name: 'Crag Books', kind: 'unclaimed', decision: 'existing', holder: null },
  match: { businessId: 8, row: null, name: 'Crag Book Shop', town: null, reasons: ['website'], score: 0.8 },
};
const NO_LOOK_ALIKES = { unclaimed: 0, held: 0, phone: 0, file: 0 };

async function open(preview: Partial<ImportPreview> = {}, job: Partial<ImportJob> = {}) {
  const server = fakeServer();
  const columns = anImport().columns.with(2, { heading: 'Owner', samples: ['sam'], target: 'User' });
  const checked = { ...anImport({ state: 'checked', columns, preview: aPreview(preview) }), ...job };
  server.responds(getSettings, SETTINGS);
  server.responds(getImport, checked);
  server.responds(listImports, { items: [] });
  server.responds(listUsers, [ada, bob, aUser({ username: 'gone', active: false })]);
  server.responds(startImport, anImport({ state: 'running' }));
  /** What the server counts with the next choices. */
  const counts = (counted: Partial<ImportPreview>, choices: Partial<ImportChoices>) => {
    const again = { ...checked, choices: { ...NO_CHOICES, ...choices }, preview: aPreview({ ...preview, ...counted }) };
    server.responds(checkImport, again);
    server.responds(getImport, again);
  };
  const shown = show(<ImportJobScreen id={anImport().id} />);
  await screen.findByRole('heading', { level: 2, name: 'What will happen' });
  return { server, counts, ...shown };
}

const count = (label: string) => screen.getByText(label, { selector: 'dt' }).nextSibling;
const start = (name: string) => screen.getByRole('button', { name });

test('the counts of the whole file, new tags and refused rows are shown', async () => {
  await open({
    newTags: ['Spring', 'Bakery'],
    newTagCount: 5,
    rows: 309,
    refused: 300,
    refusedRows: [{ row: 4, reason: 'Business Name is required', cells: [''], wrong: [0] }],
  });
  expect(
    ['Rows in the file', 'New leads', 'Already there', 'Repeated in the file', 'Refused'].map(
      (label) => count(label)?.textContent,
    ),
  ).toEqual(['309', '7', '1', '1', '300']);
  expect(screen.getByText('6 of the new leads are new businesses.')).toBeVisible();
  expect(screen.getByText('Spring, Bakery and 3 more')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Rows that are refused' })).toHaveTextContent(
    'Row 4: Business Name is required',
  );
  expect(screen.getByText(/The list has the first 1 row\./)).toBeVisible();
  expect(start('Import 7 businesses')).toBeEnabled();
  expect(start('Import 7 businesses')).not.toHaveAccessibleDescription();
  expect(screen.queryByText('Unknown users')).toBeNull();
});

test('the columns that were not understood are one click away', async () => {
  await open({}, { columns: anImport().columns.with(2, { heading: 'Colour', samples: ['red'], target: 'Ignore' }) });
  expect(screen.getByText('2 of 3 columns understood')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show the other one' }));
  expect(screen.getByRole('heading', { name: 'Match columns' })).toBeVisible();
});

test('the rows of an unknown user go to an active one, or are refused; the file is counted again by itself', async () => {
  const { server, counts } = await open({
    unknownUsers: [
      { username: 'sam', rows: 3 },
      { username: 'kim', rows: 1 },
    ],
    refused: 5,
  });
  const sam = screen.getByRole('combobox', { name: 'Rows of sam go to' });
  await waitFor(() => expect(within(sam).getAllByRole('option')).toHaveLength(3));
  expect(
    within(sam)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Refuse these rows', 'Ada Lovelace (ada)', 'Bob Cratchit (bob)']);
  expect(sam).toHaveDisplayValue('Refuse these rows');
  const replacements = [{ username: 'sam', userId: bob.id }];
  counts({ newLeads: 9, alreadyThere: 2, refused: 2 }, { replacements });
  await userEvent.selectOptions(sam, 'Bob Cratchit (bob)');
  await waitFor(() => expect(count('New leads')).toHaveTextContent('9'));
  expect(server.last(checkImport)?.body).toEqual({ ...NO_CHOICES, replacements });
  expect(sam).toHaveDisplayValue('Bob Cratchit (bob)');
  expect(sam).toHaveFocus();
  await userEvent.click(start('Import 9 businesses'));
  await screen.findByRole('heading', { name: 'Importing' });
  expect(server.times(checkImport)).toBe(1);
});

test('values that are no choices are added to their fields only where they are ticked', async () => {
  const newChoices = [
    {
      ...{ fieldId: 7, name: 'Supplier', others: 3, room: 12 },
      labels: [
        { label: 'Umbrella', rows: 40 },
        { label: 'Umbrela', rows: 1 },
      ],
    },
    { fieldId: 8, name: 'Grades', others: 0, room: 1, labels: ['A', 'B'].map((label) => ({ label, rows: 2 })) },
  ];
  const { server, counts } = await open({ newChoices, refused: 45, newLeads: 7 });
  const supplier = within(screen.getByRole('group', { name: 'Supplier' }));
  expect(supplier.getByRole('checkbox', { name: 'Umbrella (40 rows)' })).not.toBeChecked();
  expect(supplier.getByText('and 3 more, which cannot be added here')).toBeVisible();
  counts({ newLeads: 47, refused: 5 }, { newChoices: [{ fieldId: 7, labels: ['Umbrella'] }] });
  await userEvent.click(supplier.getByRole('checkbox', { name: 'Umbrella (40 rows)' }));
  await waitFor(() => expect(count('New leads')).toHaveTextContent('47'));
  expect(server.last(checkImport)?.body).toEqual({
    ...NO_CHOICES,
    newChoices: [{ fieldId: 7, labels: ['Umbrella'] }],
  });
  expect(supplier.getByRole('checkbox', { name: 'Umbrela (1 row)' })).not.toBeChecked();

  const grades = within(screen.getByRole('group', { name: 'Grades' }));
  expect(grades.getByText('“Grades” can have 1 more.')).toBeVisible();
  await userEvent.click(grades.getByRole('checkbox', { name: 'A (2 rows)' }));
  expect(grades.getByRole('checkbox', { name: 'B (2 rows)' })).toBeDisabled();
  await userEvent.click(supplier.getByRole('button', { name: 'Add all to Supplier' }));
  await waitFor(() =>
    expect(server.last(checkImport)?.body).toMatchObject({
      newChoices: [
        { fieldId: 8, labels: ['A'] },
        { fieldId: 7, labels: ['Umbrella', 'Umbrela'] },
      ],
    }),
  );
});

test('what was chosen is there again after a reload', async () => {
  await open(
    { unknownUsers: [{ username: 'sam', rows: 3 }] },
    { choices: { ...NO_CHOICES, replacements: [{ username: 'sam', userId: bob.id }] } },
  );
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Rows of sam go to' })).toHaveDisplayValue('Bob Cratchit (bob)'),
  );
});

test('a business that someone works is left with them unless it is said otherwise', async () => {
  const { server, counts } = await open({
    lookAlikes: [BAKERY, BOOKS],
    lookAlikeCounts: { ...NO_LOOK_ALIKES, held: 120, unclaimed: 1 },
  });
  expect(screen.getByRole('heading', { name: '120 businesses are leads already' })).toBeVisible();
  expect(
    screen.getByText(
      'Row 12: Blue Door Bakery looks like Blue Door Bakery Ltd in Harrogate: same phone, similar name, same town. Priya Shah works it, Negotiation',
    ),
  ).toBeVisible();
  expect(screen.getByText('Row 30: Crag Books looks like Crag Book Shop: same website')).toBeVisible();
  expect(screen.getByText(/the other 119 follow the choice for all/)).toBeVisible();
  const bakery = screen.getByRole('combobox', { name: 'Row 12' });
  expect(bakery).toHaveDisplayValue('Leave it with Priya');
  expect(screen.getByRole('combobox', { name: 'Row 30' })).toHaveDisplayValue('Use the existing business');
  const decisions = { held: 'new' as const };
  counts({ newLeads: 127 }, { decisions });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'All of them' }), 'Add as new');
  expect(bakery).toHaveDisplayValue('Add as new');
  await waitFor(() => expect(server.last(checkImport)?.body).toMatchObject({ decisions, exceptions: [] }));
  const exceptions = [{ row: 12, decision: 'existing' as const }];
  counts({ newLeads: 127 }, { decisions, exceptions });
  await userEvent.selectOptions(bakery, 'Add a second lead');
  await waitFor(() => expect(server.last(checkImport)?.body).toMatchObject({ decisions, exceptions }));
  await waitFor(() => expect(start('Import 127 businesses')).toBeEnabled());
});

test('a match by phone alone is asked about, and the button says so', async () => {
  const match = { ...BAKERY.match, reasons: ['phone' as const] };
  const { counts } = await open({
    ...{ rows: 11, undecided: 1 },
    lookAlikes: [{ ...BAKERY, kind: 'phone', decision: null, match }],
    lookAlikeCounts: { ...NO_LOOK_ALIKES, phone: 1 },
  });
  expect(count('To decide')).toHaveTextContent('1');
  const bakery = screen.getByRole('combobox', { name: 'Row 12' });
  expect(bakery).toHaveDisplayValue('Choose…');
  expect(start('Import 7 businesses')).toBeDisabled();
  expect(start('Import 7 businesses')).toHaveAccessibleDescription(
    'Decide about 1 business with the phone number of another one first.',
  );
  counts({ undecided: 0, newLeads: 8 }, { exceptions: [{ row: 12, decision: 'new' }] });
  await userEvent.selectOptions(bakery, 'Add as new');
  await waitFor(() => expect(start('Import 8 businesses')).toBeEnabled());
});

test('rows that look like a row before are shown, and one is kept', async () => {
  const match = { ...BAKERY.match, businessId: null, row: 3 };
  await open({
    lookAlikes: [{ ...BAKERY, kind: 'file', holder: null, match }],
    lookAlikeCounts: { ...NO_LOOK_ALIKES, file: 1 },
  });
  expect(screen.getByRole('heading', { name: '1 row looks like a row before' })).toBeVisible();
  expect(screen.getByText(/^Row 12: Blue Door Bakery looks like row 3, Blue Door Bakery Ltd/)).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Row 12' })).toHaveDisplayValue('Keep one');
});

test('choices that cannot be counted stay, and can be sent again', async () => {
  const { server, counts, toasts } = await open({
    lookAlikes: [BOOKS],
    lookAlikeCounts: { ...NO_LOOK_ALIKES, unclaimed: 1 },
  });
  server.refuses(checkImport, 'import_running', 'Another import is running.');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Row 30' }), 'Add as new');
  await waitFor(() => expect(toasts).toEqual(['The file could not be checked | 409: Another import is running.']));
  expect(start('Import 7 businesses')).toHaveAccessibleDescription('The file could not be counted with these choices.');
  expect(screen.getByRole('combobox', { name: 'Row 30' })).toHaveDisplayValue('Add as new');
  counts({ newLeads: 8 }, { exceptions: [{ row: 30, decision: 'new' }] });
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await waitFor(() => expect(start('Import 8 businesses')).toBeEnabled());
});

test('a file without anything new cannot be imported, and the button says why', async () => {
  await open({ newLeads: 0 });
  expect(start('Import 0 businesses')).toBeDisabled();
  expect(start('Import 0 businesses')).toHaveAccessibleDescription('Nothing in this file can be added.');
});

test('one row without a user is asked about as one', async () => {
  await open({ withoutUser: { rows: 1, shares: [] } });
  expect(screen.getByText('1 row names no user. Who gets it?')).toBeVisible();
});

test('rows without a user are shared out, and the shares are shown by themselves', async () => {
  const { server, counts } = await open({ withoutUser: { rows: 7, shares: [] } });
  expect(screen.getByText('7 rows name no user. Who gets them?')).toBeVisible();
  expect(screen.getByRole('button', { name: 'To me' })).toHaveAttribute('aria-pressed', 'true');
  const mine = { way: 'territory' as const, fallbackUserId: ada.id };
  counts({ withoutUser: { rows: 7, shares: [] } }, { withoutUser: mine });
  await userEvent.click(screen.getByRole('button', { name: 'Each to its own territory' }));
  await waitFor(() => expect(server.last(checkImport)?.body).toMatchObject({ withoutUser: mine }));
  const choice = { way: 'territory' as const, fallbackUserId: bob.id };
  const shares = [
    { userId: ada.id, fullName: ada.fullName, count: 4, fallback: 0, held: 1 },
    { userId: bob.id, fullName: bob.fullName, count: 2, fallback: 2, held: 0 },
  ];
  counts({ withoutUser: { rows: 7, shares } }, { withoutUser: choice });
  const fallback = screen.getByRole('combobox', { name: 'Outside all territories' });
  await waitFor(() => expect(within(fallback).getAllByRole('option')).toHaveLength(2));
  await userEvent.selectOptions(fallback, 'Bob Cratchit (bob)');
  expect(await screen.findByText('Ada Lovelace 4, outside all territories: 2 → Bob Cratchit')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'By open leads' }));
  expect(start('Import 7 businesses')).toHaveAccessibleDescription(
    'Choose at least one user who gets the rows without a user.',
  );
});

test.each([
  [7, 7, 'All of them are new businesses.'],
  [1, 1, 'It is a new business.'],
  [7, 1, '1 of the new leads is a new business.'],
])('of %i new leads with %i new businesses: %s', async (newLeads, newBusinesses, text) => {
  await open({ newLeads, newBusinesses });
  expect(screen.getByText(text)).toBeVisible();
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
