import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { IMPORT_ID_HEADER, importBusinesses } from '#contract/import/import.calls.ts';
import { cancelImport, createImport, listImports } from '#contract/import/import-jobs.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { buildImportResponse, csv, fakeUploads } from '#web/testing/fake-uploads.ts';
import { aListedImport, anImport } from '#web/testing/imports.ts';
import { show } from '#web/testing/show.tsx';
import { ImportScreen } from './ImportScreen.tsx';

const user = userEvent.setup({ applyAccept: false });
const upload = () => screen.getByRole('button', { name: 'Upload & Import' });
const excelInput = () => screen.getByLabelText('Excel file');
const workbook = (name = 'leads.xlsx') => new File(['PK'], name);
const warnsBeforeUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
const importId = ({ latest }: ReturnType<typeof fakeUploads>) => latest().headers.get(IMPORT_ID_HEADER) ?? '';

function open() {
  const server = fakeServer();
  server.responds(listImports, { items: [] });
  const uploads = fakeUploads();
  // A pending upload would warn before leaving in the next test, too.
  onTestFinished(() => {
    for (const each of uploads.uploads) act(() => each.abort());
  });
  return { server, uploads, ...show(<ImportScreen />) };
}

async function start(file: File, label = 'CSV file') {
  const opened = open();
  await user.upload(screen.getByLabelText(label), file);
  await user.click(upload());
  await waitFor(() => expect(opened.uploads.uploads).toHaveLength(1));
  return opened;
}

test.each([
  ['the headings of the template', csv('leads.csv', 'PHONE;business name\n1;x'), importBusinesses],
  ['the refused rows of an import', csv('leads.csv', 'Business Name,Import Error\nx,y'), importBusinesses],
  ['other headings', csv('leads.csv', 'Company,Tel\nx,1'), createImport],
  ['an extra column', csv('leads.csv', 'Business Name,Turnover\nx,1'), createImport],
  ['no business name', csv('leads.csv', 'Phone,Town\n1,x'), createImport],
  ['no known heading', csv('leads.csv', 'foo,bar\n1,x'), createImport],
])('a file with %s is sent to its call', async (_, file, call) => {
  const { uploads } = await start(file);
  expect(uploads.latest().opened).toBe(`POST ${call.path}`);
  expect(uploads.latest().body?.get('file')).toMatchObject({ name: 'leads.csv' });
});

test('a workbook is chosen with its own input, uploaded, and its columns are matched next', async () => {
  const { uploads, toasts } = await start(workbook(), 'Excel file');
  expect(excelInput()).toHaveAttribute('accept', '.xlsx');
  expect(uploads.latest().opened).toBe(`POST ${createImport.path}`);
  act(() => uploads.latest().progresses(40, 100));
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
  act(() => uploads.latest().responds(201, anImport()));
  await waitFor(() => expect(window.location.pathname).toBe(`/import/${anImport().id}`));
  expect(toasts).toEqual([]);
});

test('only workbooks can be chosen as Excel file, and both kinds can be dropped', async () => {
  open();
  await user.upload(excelInput(), csv());
  expect(excelInput()).toHaveAccessibleDescription(/Please select an Excel file/);
  expect(screen.getByLabelText('CSV file')).not.toBeInvalid();
  expect(upload()).toBeDisabled();
  const area = screen.getByLabelText('CSV file').parentElement as HTMLElement;
  fireEvent.drop(area, { dataTransfer: { files: [workbook('dropped.XLSX')] } });
  expect(screen.getByText('dropped.XLSX')).toBeVisible();
  expect(screen.queryByText('Please select an Excel file')).toBeNull();
  expect(upload()).toBeEnabled();
});

test('once the file has arrived, leaving is safe, the progress is that of the import, and Cancel ends it', async () => {
  const { server, uploads } = await start(csv('towns.csv'));
  act(() => uploads.latest().progresses(99, 100));
  expect(warnsBeforeUnload()).toBe(true);
  const running = { fileName: 'towns.csv', state: 'running' } as const;
  const own = aListedImport({ ...running, id: importId(uploads), progress: { share: 0.35, rows: 3_500 } });
  // Another administrator imports a file of the same name.
  server.responds(listImports, { items: [aListedImport({ ...running, importedBy: 'Grace Hopper' }), own] });
  act(() => uploads.latest().progresses(100, 100));
  expect(warnsBeforeUnload()).toBe(false);
  expect((await screen.findAllByText('3,500 of about 10,000 rows')).length).toBeGreaterThan(0);
  expect(screen.getByRole('progressbar', { name: 'Import progress' })).toHaveAttribute('aria-valuenow', '35');

  server.responds(cancelImport, anImport({ state: 'running' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText(/^Import cancelled/)).toBeVisible();
  await waitFor(() => expect(server.last(cancelImport)?.path).toBe(`/api/imports/${own.id}/cancel`));
});

test('an upload that is cancelled before its end cancels no import', async () => {
  const { server, uploads } = await start(csv('towns.csv'));
  act(() => uploads.latest().progresses(40, 100));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText(/^Import cancelled/)).toBeVisible();
  expect(server.times(cancelImport)).toBe(0);
});

test('the refused rows of a finished import lead to the grid', async () => {
  const { server, uploads } = await start(csv('towns.csv'));
  const done = aListedImport({ id: importId(uploads), state: 'done', correctable: 1 });
  server.responds(listImports, {
    items: [aListedImport({ fileName: 'towns.csv', state: 'done', correctable: 2 }), done],
  });
  act(() => uploads.latest().responds(200, buildImportResponse(2, ['Row 4: Business Name is required'])));
  expect(await screen.findByRole('link', { name: 'Correct 1 row' })).toHaveAttribute(
    'href',
    `/import/${done.id}/corrections`,
  );
  expect(screen.getByRole('button', { name: 'Download Refused Rows' })).toBeVisible();
});
