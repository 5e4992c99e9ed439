import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { buildImportResponse, csv, fakeUploads } from '#web/testing/fake-uploads.ts';
import { show } from '#web/testing/show.tsx';
import { ImportScreen } from './ImportScreen.tsx';

const fileInput = () => screen.getByLabelText('CSV file');
const upload = () => screen.getByRole('button', { name: 'Upload & Import' });
// Without the browser's `accept` filter, which does not apply to dropped files.
const user = userEvent.setup({ applyAccept: false });

function open() {
  const server = fakeUploads();
  return { server, ...show(<ImportScreen />) };
}

async function start(file = csv()) {
  const opened = open();
  await user.upload(fileInput(), file);
  await user.click(upload());
  return opened;
}

test('nothing can be uploaded before a file is chosen', async () => {
  open();
  expect(screen.getByRole('heading', { level: 1, name: 'Import Businesses' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to CRM Dashboard' })).toHaveAttribute('href', '/crm');
  expect(fileInput()).toHaveAttribute('accept', '.csv');
  expect(upload()).toBeDisabled();
  expect(screen.getByText('All imported businesses automatically get the "Imported" tag.')).toBeVisible();
  await user.upload(fileInput(), csv());
  expect(upload()).toBeEnabled();
  expect(fileInput()).toHaveAccessibleDescription(/leads\.csv \(31 bytes\)/);
});

test.each([
  [csv('leads.xlsx'), 'Please select a CSV file'],
  [csv('leads.csv', ''), 'The file is empty'],
])('an invalid file shows an error and cannot be uploaded', async (file, message) => {
  open();
  await user.upload(fileInput(), file);
  expect(fileInput()).toHaveAccessibleDescription(new RegExp(message));
  expect(upload()).toBeDisabled();
  await user.upload(fileInput(), csv());
  expect(screen.queryByText(message)).toBeNull();
});

test('a file can be dropped', async () => {
  open();
  const area = fileInput().parentElement as HTMLElement;
  fireEvent.dragOver(area);
  fireEvent.drop(area, { dataTransfer: { files: [csv('dropped.CSV')] } });
  expect(screen.getByText('dropped.CSV')).toBeVisible();
  expect(upload()).toBeEnabled();
  fireEvent.drop(area, { dataTransfer: { files: [csv('dropped.pdf')] } });
  expect(screen.getByText('Please select a CSV file')).toBeVisible();
});

test('progress is shown during the upload, and then the result', async () => {
  const { server, toasts, lastUndo } = await start();
  const request = server.latest();
  expect(request.opened).toBe(`POST ${importBusinesses.path}`);
  expect(request.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  expect(request.body?.get('file')).toMatchObject({ name: 'leads.csv' });
  expect(screen.getByText('Uploading and processing...')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Processing...' })).toHaveAttribute('aria-disabled', 'true');
  act(() => request.progresses(40, 100));
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
  act(() => request.progresses(100, 100));
  expect(screen.getByRole('status')).toHaveTextContent('Uploading and processing...');

  act(() => request.responds(200, buildImportResponse(2, ['Row 4: Business Name is required'])));

  const heading = await screen.findByRole('heading', { name: 'Import Successful' });
  expect(heading).toHaveFocus();
  const alert = screen.getByRole('alert');
  for (const [name, count] of [
    ['Total', '3'],
    ['Successful', '2'],
    ['Failed', '1'],
  ] as const) {
    expect(within(alert).getByText(name).nextSibling).toHaveTextContent(count);
  }
  expect(screen.getByText('Row 4: Business Name is required')).toBeVisible();
  expect(toasts).toEqual(['CSV Import Successful | Successfully imported 2 of 3 businesses.']);
  // Not in the toast: it deletes leads, so that it has a preview.
  expect(lastUndo()).toBeUndefined();
  expect(screen.getByRole('link', { name: 'Recent changes' })).toHaveAttribute('href', '/changes?kind=import');

  await user.click(screen.getByRole('button', { name: 'Import Another File' }));
  expect(upload()).toBeDisabled();
  expect(screen.queryByText('Import Successful')).toBeNull();
});

test('a refused import shows the reason; a retry has the same idempotency key', async () => {
  const { server, toasts } = await start();
  act(() => server.latest().refuses('import_running', 'Another import is running.'));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Import Failed');
  expect(alert).toHaveTextContent('409: Another import is running.');
  expect(toasts).toEqual(['Import Failed | 409: Another import is running.']);
  await user.click(upload());
  const [first, second] = server.uploads;
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a response without a message and a connection error show fallback messages', async () => {
  const { server, toasts } = await start();
  act(() => server.latest().responds(502, ''));
  await waitFor(() => expect(toasts).toEqual(['Import Failed | Failed to import CSV file']));
  await user.click(upload());
  act(() => server.latest().breaks());
  await waitFor(() =>
    expect(toasts.at(-1)).toBe('Upload Error | An unexpected error occurred during the import process'),
  );
  expect(screen.getByRole('alert')).toHaveTextContent('An unexpected error occurred during the import process');
});

test('Cancel aborts the upload, then removes the file, then leaves the page', async () => {
  const { toasts } = await start();
  const cancel = screen.getByRole('button', { name: 'Cancel' });
  await user.click(cancel);
  expect(await screen.findByText(/^Import cancelled/)).toBeVisible();
  expect(toasts).toEqual([]);
  expect(upload()).toBeEnabled();
  await user.click(cancel);
  expect(upload()).toBeDisabled();
  await user.click(cancel);
  expect(window.location.pathname).toBe('/crm');
});

test('refused rows and the template are downloaded as CSV files that can be imported', async () => {
  const saved: Blob[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL: () => {} }),
  );
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const { server } = await start();
  const rows = [{ row: 3, reason: 'Must be a valid email ("x")', cells: ['Café "Zoë"', '=x'] }];
  const refused = { columns: ['Business Name', 'Email Address'], rows, leftOut: 0 };
  act(() => server.latest().responds(200, buildImportResponse(1, ['Row 3: Must be a valid email ("x")'], { refused })));
  await user.click(await screen.findByRole('button', { name: 'Download Refused Rows' }));
  await user.click(screen.getByRole('button', { name: 'Download Template' }));

  expect(names).toEqual(['refused-rows.csv', 'import-template.csv']);
  const text = async (blob: Blob | undefined) =>
    (await blob?.arrayBuffer().then((bytes) => new TextDecoder().decode(bytes))) ?? '';
  expect(await text(saved[0])).toBe(
    '"Business Name","Email Address","Import Error"\r\n"Café ""Zoë""","\'=x","Must be a valid email (""x"")"\r\n',
  );
  expect(await text(saved[1])).toMatch(/^"Business Name","Address","Town".*\r\n"Blue Door Bakery",/);
});

test('a response without refused rows still lists the errors', async () => {
  const { server } = await start();
  const { message, importResults } = buildImportResponse(1, ['Row 3: Must be a valid email']);
  act(() => server.latest().responds(200, { message, importResults }));
  expect(await screen.findByText('Row 3: Must be a valid email')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Download Refused Rows' })).toBeNull();
});
