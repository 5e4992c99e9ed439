import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getUser, login, logout } from '#contract/auth/auth.calls.ts';
import { IMPORT_ID_HEADER } from '#contract/import/import.calls.ts';
import { openApp, serverFor } from '#web/testing/app.tsx';
import { buildImportResponse, csv, fakeUploads } from '#web/testing/fake-uploads.ts';
import { ada } from '#web/testing/fixtures.ts';

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const upload = () => screen.findByRole('button', { name: 'Upload & Import' });
const toast = (text: string) => within(screen.getByRole('region', { name: /Notifications/ })).findByText(text);
const warnsBeforeUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

async function startImport() {
  const server = serverFor('admin');
  const uploads = fakeUploads();
  const { queries } = openApp('/import');
  await userEvent.upload(await screen.findByLabelText('CSV file'), csv('towns.csv'));
  await userEvent.click(await upload());
  act(() => uploads.latest().progresses(40, 100));
  return { server, uploads, queries };
}

async function openLeads() {
  await userEvent.click(screen.getByRole('link', { name: 'Back to CRM Dashboard' }));
  await heading('CRM Dashboard');
}

async function returnToImport() {
  await userEvent.click(screen.getByRole('link', { name: 'Import Businesses' }));
  expect(await heading('Import Businesses')).toHaveFocus();
}

test('an import continues on other screens, and can be cancelled after returning', async () => {
  const { uploads } = await startImport();
  await openLeads();
  act(() => uploads.latest().progresses(70, 100));
  expect(warnsBeforeUnload()).toBe(true);

  await returnToImport();
  expect(screen.getByRole('progressbar', { name: 'Import progress' })).toHaveAttribute('aria-valuenow', '70');
  expect(screen.getByText(/^towns\.csv/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Processing...' })).toHaveAttribute('aria-disabled', 'true');
  act(() => uploads.latest().progresses(80, 100));
  expect(screen.getByRole('progressbar', { name: 'Import progress' })).toHaveAttribute('aria-valuenow', '80');

  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText(/^Import cancelled/)).toBeVisible();
  expect(uploads.latest().aborted).toBe(true);
  expect(await upload()).toBeEnabled();
  expect(warnsBeforeUnload()).toBe(false);
});

test('an import that succeeds on another screen shows a toast there, and its result once after returning', async () => {
  const { uploads } = await startImport();
  await openLeads();
  act(() => uploads.latest().responds(200, buildImportResponse(2, ['Row 4: Business Name is required'])));
  expect(await toast('CSV Import Successful')).toBeVisible();
  expect(await toast('Successfully imported 2 of 3 businesses.')).toBeVisible();
  expect(warnsBeforeUnload()).toBe(false);

  await returnToImport();
  expect(screen.getByText('Import Successful')).toBeVisible();
  expect(screen.getByText('Row 4: Business Name is required')).toBeVisible();

  await openLeads();
  await returnToImport();
  expect(screen.queryByText('Import Successful')).toBeNull();
  expect(await upload()).toBeDisabled();
});

test('an import that fails on another screen shows a toast there, and a retry has the same idempotency key', async () => {
  const { uploads } = await startImport();
  await openLeads();
  act(() => uploads.latest().refuses('import_running', 'Another import is running.'));
  expect(await toast('409: Another import is running.')).toBeVisible();

  await returnToImport();
  expect(screen.getByRole('alert')).toHaveTextContent('409: Another import is running.');
  await userEvent.click(await upload());
  expect(uploads.uploads).toHaveLength(2);
  const [first, second] = uploads.uploads.map(({ headers }) => headers);
  expect(second?.get('idempotency-key')).toBe(first?.get('idempotency-key'));
  expect(second?.get(IMPORT_ID_HEADER)).not.toBe(first?.get(IMPORT_ID_HEADER));
});

test('logging out aborts an import, and the next user sees nothing of it', async () => {
  const { server, uploads } = await startImport();
  await openLeads();
  server.responds(logout, { message: 'Logged out' });
  server.refuses(getUser, 'not_authenticated', 'Please sign in');
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await heading('Sign in');
  expect(uploads.latest().aborted).toBe(true);
  expect(warnsBeforeUnload()).toBe(false);
  expect(screen.queryByText(/Upload Error|Import Failed/)).toBeNull();

  server.responds(login, { ...ada, id: 2 });
  await userEvent.type(screen.getByLabelText('Username or email'), 'grace');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await waitFor(() => expect(window.location.pathname).toBe('/'));
  await userEvent.click(await screen.findByRole('tab', { name: 'CRM Dashboard' }));
  await returnToImport();
  expect(screen.queryByRole('progressbar', { name: 'Import progress' })).toBeNull();
  expect(screen.queryByText(/towns\.csv/)).toBeNull();
  expect(await upload()).toBeDisabled();
});
