import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { ImportJob } from '#contract/import/import-job.ts';
import { checkImport, discardImport, getImport, listImports, mapImport } from '#contract/import/import-jobs.calls.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { ImportJobScreen } from '#web/import/ImportJobScreen.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { anOwnField, SETTINGS } from '#web/testing/fixtures.ts';
import { anImport } from '#web/testing/imports.ts';
import { show } from '#web/testing/show.tsx';

const becomes = (column: number) => screen.getByRole('combobox', { name: `Column ${column} becomes` });
const check = () => screen.getByRole('button', { name: 'Check file' });

async function open(job: Partial<ImportJob> = {}, fields: OwnField[] = []) {
  const server = fakeServer();
  server.responds(listOwnFields, { fields });
  server.responds(getSettings, SETTINGS);
  server.responds(getImport, anImport(job));
  server.responds(listImports, { items: [] });
  const shown = show(<ImportJobScreen id={anImport().id} />);
  await screen.findByRole('heading', { level: 2, name: 'Match columns' });
  return { server, ...shown };
}

test('each column has its heading, first values and what it becomes', async () => {
  await open();
  expect(screen.getByRole('heading', { level: 1, name: 'Import of leads.xlsx' })).toBeVisible();
  const [company, , turnover] = within(screen.getByRole('list', { name: 'Columns of the file' })).getAllByRole(
    'listitem',
  );
  expect(company).toHaveTextContent('Company');
  expect(company).toHaveTextContent('Blue Door Bakery · Crag Books');
  expect(turnover).toHaveTextContent('Empty');
  expect(becomes(1)).toHaveValue('Business Name');
  expect(
    within(becomes(3))
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual([
    'Business Name',
    'Address',
    'Town',
    'Contact Name',
    'Phone',
    'Email Address',
    'Website',
    'User',
    'Custom Tag',
    'Business Type',
    'Value',
    'Postcode',
    'Latitude',
    'Longitude',
    'Place ID',
    'Keep as note',
    'Ignore',
  ]);
  expect(screen.getByText(/^Not in this file:/)).toHaveTextContent(
    'Not in this file: Address, Town, Contact Name, Email Address, Website, User, Custom Tag.',
  );
  expect(screen.queryByText(/remembered/)).toBeNull();
});

test('a column becomes a field of the team’s own by its name; archived ones are not offered', async () => {
  const fields = [anOwnField(4, { name: 'Tables' }), anOwnField(5, { name: 'Gone', archived: true })];
  const { server } = await open({}, fields);
  server.responds(checkImport, anImport());
  await within(becomes(2)).findByRole('option', { name: 'Tables' });
  expect(within(becomes(2)).queryByRole('option', { name: 'Gone' })).toBeNull();
  await userEvent.selectOptions(becomes(2), 'Tables');
  await userEvent.selectOptions(becomes(3), 'Tables');
  expect(screen.getByText('Tables is chosen for columns 2 and 3: choose one of them.')).toBeVisible();
  await userEvent.selectOptions(becomes(3), 'Ignore');
  server.responds(mapImport, anImport());
  await userEvent.click(check());
  await waitFor(() => expect(server.times(checkImport)).toBe(1));
  expect(server.last(mapImport)?.body).toMatchObject({ targets: ['Business Name', 'Field 4', 'Ignore'] });
});

test('a missing business name and a target for two columns are named, and block the check', async () => {
  await open();
  await userEvent.selectOptions(becomes(1), 'Ignore');
  expect(screen.getByText('Business Name is required: choose the column that has it.')).toBeVisible();
  expect(check()).toBeDisabled();
  await userEvent.selectOptions(becomes(1), 'Business Name');
  await userEvent.selectOptions(becomes(2), 'Town');
  await userEvent.selectOptions(becomes(3), 'Town');
  expect(screen.getByText('Town is chosen for columns 2 and 3: choose one of them.')).toBeVisible();
  expect(check()).toBeDisabled();
  await userEvent.selectOptions(becomes(3), 'Keep as note');
  expect(check()).toBeEnabled();
});

test('the chosen columns are stored and checked, and the next step takes the focus', async () => {
  const { server } = await open();
  await userEvent.selectOptions(becomes(3), 'Keep as note');
  server.responds(mapImport, anImport());
  server.responds(checkImport, anImport({ state: 'checking' }));
  server.responds(getImport, anImport({ state: 'checking' }));
  await userEvent.click(check());
  expect(await screen.findByRole('heading', { name: 'Checking the file' })).toHaveFocus();
  expect(server.last(mapImport)?.body).toEqual({
    sheet: 'Leads',
    headerRow: 1,
    targets: ['Business Name', 'Phone', 'Note'],
  });
  expect(server.times(checkImport)).toBe(1);
});

test('a refused check keeps the choices and says why', async () => {
  const { server, toasts } = await open();
  await userEvent.selectOptions(becomes(3), 'Keep as note');
  server.responds(mapImport, anImport());
  server.refuses(checkImport, 'import_running', 'Another import is running.');
  await userEvent.click(check());
  await waitFor(() => expect(toasts).toEqual(['The file could not be checked | 409: Another import is running.']));
  expect(becomes(3)).toHaveValue('Note');
});

test('chosen columns are there again after a reload, and understood ones are counted', async () => {
  const columns = anImport().columns.with(2, { heading: 'Colour', samples: ['red'], target: 'Ignore' });
  const { unmount } = await open({ columns });
  expect(screen.getByText('2 of 3 columns understood')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show the other one' }));
  expect(becomes(3)).toHaveFocus();
  await userEvent.selectOptions(becomes(3), 'Keep as note');
  expect(screen.getByText('3 of 3 columns understood')).toBeVisible();
  unmount();
  await open({ columns });
  expect(becomes(3)).toHaveValue('Note');
});

test('another sheet has other columns', async () => {
  const { server } = await open();
  await userEvent.selectOptions(becomes(3), 'Keep as note');
  const columns = [{ heading: 'Shop', samples: [], target: 'Business Name' as const }];
  const response = server.holds(mapImport);
  const sheet = screen.getByRole('combobox', { name: 'Sheet' });
  await userEvent.selectOptions(sheet, 'Archive');
  expect(sheet).toHaveValue('Archive');
  expect(check()).toBeDisabled();
  response.respond(anImport({ sheet: 'Archive', columns }));
  expect(await screen.findByText('Shop')).toBeVisible();
  expect(sheet).toHaveFocus();
  expect(screen.queryByText('Company')).toBeNull();
  expect(server.last(mapImport)?.body).toMatchObject({ sheet: 'Archive', headerRow: 1 });
});

test('a title above the table is asked about, and the headings are read from another row', async () => {
  const blank = { heading: '', samples: ['x'], target: 'Ignore' as const };
  const { server } = await open({
    fileName: 'leads.csv',
    sheets: [],
    sheet: null,
    columns: [{ ...blank, heading: 'Leads of March' }, blank, blank],
  });
  expect(screen.queryByRole('combobox', { name: 'Sheet' })).toBeNull();
  const row = screen.getByRole('spinbutton', { name: 'Headings are in row' });
  expect(row).toHaveAccessibleDescription(
    'Row 1 looks like a title ("Leads of March"). In which row are the headings?',
  );
  await userEvent.clear(row);
  await userEvent.type(row, '0{Enter}');
  expect(row).toHaveAccessibleDescription(/Enter a row from 1 to 100/);
  expect(server.times(mapImport)).toBe(0);
  server.responds(mapImport, anImport({ fileName: 'leads.csv', sheets: [], sheet: null, headerRow: 3 }));
  await userEvent.clear(row);
  await userEvent.type(row, '3');
  await userEvent.click(screen.getByRole('button', { name: 'Use this row' }));
  expect(await screen.findByText('Company')).toBeVisible();
  expect(server.last(mapImport)?.body).toMatchObject({ sheet: null, headerRow: 3 });
  expect(row).toHaveValue(3);
  expect(row).not.toHaveAccessibleDescription();
});

test('remembered choices are said to be so', async () => {
  await open({ remembered: true });
  expect(screen.getByText('These choices are remembered from an earlier file with the same headings.')).toBeVisible();
});

test('an import can be discarded, once that is confirmed', async () => {
  const { server, toasts } = await open();
  server.responds(discardImport, undefined);
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Discard this import?' });
  expect(server.times(discardImport)).toBe(0);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(window.location.pathname).toBe('/import'));
  expect(toasts).toEqual(['Import discarded']);
});
