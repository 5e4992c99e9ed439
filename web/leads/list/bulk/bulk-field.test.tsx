import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bulkSetField } from '#contract/leads/bulk/bulk.calls.ts';
import type { BulkJob } from '#contract/leads/bulk/bulk-job.ts';
import { getLatestBulkJob, startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { read } from '#web/kit/api.ts';
import { aLeadItem, anOwnField } from '#web/testing/fixtures.ts';
import { listServer, press, showList } from '#web/testing/lead-list.tsx';

const CHOICES = ['Acme', 'Böhm'].map((label, nth) => ({ id: String(nth + 1), label, retired: false }));
const supplier = anOwnField(7, { name: 'Supplier', type: 'choice', choices: CHOICES });
const tables = anOwnField(8, { name: 'Tables', type: 'number', unit: 'tables', help: 'Inside only' });
const archived = anOwnField(9, { name: 'Former', archived: true });
const DONE = { results: { success: 2, failed: 0, errors: [] } };
const JOB: BulkJob = {
  ...{ id: '11111111-1111-4111-8111-111111111111', verb: 'set-field', state: 'running', total: 1_200 },
  ...{ done: 0, success: 0, failed: 0, reasons: [], message: null, batchId: null },
  createdAt: '2026-03-10T09:00:00.000Z',
};
const dialog = () => within(screen.getByRole('dialog', { name: 'Set Field' }));

beforeEach(() => window.history.replaceState(null, '', '/crm?view=table'));

async function open(fields = [supplier, tables, archived], total = 2) {
  const server = listServer([aLeadItem(1), aLeadItem(2)], total);
  server.responds(listOwnFields, { fields });
  server.responds(bulkSetField, DONE);
  const view = showList();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  return { server, ...view };
}
async function openDialog() {
  await press('Bulk Actions');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Set field' }));
  await screen.findByRole('dialog', { name: 'Set Field' });
}
const choose = (label: string, option: string) => userEvent.selectOptions(dialog().getByLabelText(label), option);
const submit = (name: string) => userEvent.click(dialog().getByRole('button', { name }));

test('a value is set on the selected leads, after it was checked', async () => {
  const { server, toasts } = await open();
  await openDialog();
  expect(screen.getByText('Changes one field of 2 selected businesses.')).toBeVisible();
  await submit('Set value');
  expect(dialog().getByLabelText('Field')).toHaveAccessibleDescription('Please choose a field');
  expect(dialog().queryByRole('option', { name: 'Former' })).toBeNull();

  await choose('Field', 'Tables');
  const value = dialog().getByLabelText('Tables (tables)');
  expect(value).toHaveAccessibleDescription('Inside only');
  await submit('Set value');
  expect(value).toHaveAccessibleDescription('Please enter a value Inside only');
  await userEvent.type(value, 'many');
  await submit('Set value');
  expect(value).toHaveAccessibleDescription('Tables must be a number such as 1500 Inside only');
  expect(server.times(bulkSetField)).toBe(0);
  await userEvent.clear(value);
  await userEvent.type(value, '1,200{Enter}');
  await waitFor(() => expect(toasts).toEqual(['Field changed for 2 businesses']));
  expect(server.last(bulkSetField)?.body).toEqual({ ids: [1, 2], fieldId: 8, value: 1_200 });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByText(/selected$/)).toBeNull();
});

test('a value is cleared only where that was chosen', async () => {
  const { server, toasts } = await open([supplier]);
  await openDialog();
  expect(dialog().getByLabelText('Field'), 'the only one').toHaveDisplayValue('Supplier');
  await choose('Change', 'Clear the value');
  expect(dialog().queryByLabelText('Supplier')).toBeNull();
  await submit('Clear value');
  await waitFor(() => expect(toasts).toEqual(['Field changed for 2 businesses']));
  expect(server.last(bulkSetField)?.body).toEqual({ ids: [1, 2], fieldId: 7, value: null });
});

test('a refusal keeps the dialog with what was chosen', async () => {
  const { server, toasts } = await open();
  server.refuses(bulkSetField, 'field_archived', '“Supplier” was archived, so that it cannot be changed');
  await openDialog();
  await choose('Field', 'Supplier');
  await choose('Supplier', 'Böhm');
  await submit('Set value');
  await waitFor(() => expect(toasts[0]).toContain('Failed to change the field | 409: “Supplier” was archived'));
  expect(dialog().getByLabelText('Supplier')).toHaveDisplayValue('Böhm');
  expect(screen.getByText('2 selected')).toBeInTheDocument();
});

test.each([
  ['archived', [{ ...tables, archived: true }, supplier]],
  ['deleted', [supplier]],
])('what was typed for a field that is %s meanwhile stays, and the user is told', async (_, fields) => {
  const { server, queries } = await open();
  await openDialog();
  await choose('Field', 'Tables');
  await userEvent.type(dialog().getByLabelText('Tables (tables)'), '12 inside');
  act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields }));
  expect(await dialog().findByRole('status')).toHaveTextContent(
    '“Tables” was archived or deleted meanwhile, so that it cannot be set. This is what you typed:12 inside',
  );
  await submit('Set value');
  expect(dialog().getByLabelText('Field')).toHaveAccessibleDescription('Please choose a field');
  expect(server.times(bulkSetField)).toBe(0);
  await choose('Field', 'Supplier');
  expect(dialog().queryByRole('status')).toBeNull();
});

test('all leads that match are changed by a job', async () => {
  const { server } = await open([supplier], 1_200);
  await press('Select all 1,200 that match');
  server.responds(startBulkJob, JOB);
  server.responds(getLatestBulkJob, { job: JOB });
  await openDialog();
  await choose('Supplier', 'Acme');
  await submit('Set value');
  expect(await screen.findByRole('region', { name: 'Bulk action' })).toBeVisible();
  expect(server.last(startBulkJob)?.body).toMatchObject({
    count: 1_200,
    action: { verb: 'set-field', fieldId: 7, value: '1' },
  });
});

test('without a field of the team there is nothing to set', async () => {
  await open([archived]);
  await press('Bulk Actions');
  expect(await screen.findByRole('menuitem', { name: 'Add tag' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: 'Set field' })).toBeNull();
});
