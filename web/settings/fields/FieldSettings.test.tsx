import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import * as calls from '#contract/leads/own-fields/own-fields.calls.ts';
import { read } from '#web/kit/api.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { anOwnField, aUser } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { FieldSettings } from './FieldSettings.tsx';

const admin = aUser({ username: 'ada', role: 'admin' });
const tables = anOwnField(1, { name: 'Tables', type: 'number', unit: 'tables' });
const supplier = anOwnField(2, {
  name: 'Supplier',
  type: 'choice',
  choices: [
    { id: '1', label: 'Acme', retired: false },
    { id: '2', label: 'Old Ltd', retired: true },
  ],
});
const old = anOwnField(3, { name: 'Old one', archived: true });

function open(fields: OwnField[]) {
  const server = fakeServer();
  server.responds(calls.listOwnFields, { fields });
  return { server, ...show(<FieldSettings />, { as: admin }) };
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (field: string, item: string) => {
  await press(`More about ${field}`);
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};
const listed = () => within(screen.getByRole('list', { name: 'Fields' })).getAllByRole('listitem');

test('a field is added in a minute', async () => {
  const { server, toasts } = open([]);
  expect(await screen.findByText('There are no fields yet.')).toBeVisible();
  server.responds(calls.createOwnField, tables);
  await press('Add field');
  const dialog = within(screen.getByRole('dialog', { name: 'Add field' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Add field' }));
  expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Please enter a name');
  await userEvent.type(dialog.getByLabelText('Name'), 'Tables');
  await userEvent.selectOptions(dialog.getByLabelText('Type'), 'Number');
  await userEvent.type(dialog.getByLabelText('Unit'), 'tables');
  await userEvent.click(dialog.getByRole('checkbox', { name: 'On cards of the board' }));
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Ask when a business is added' }));
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Needed to close a lead as won' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Add field' }));
  await waitFor(() => expect(toasts).toEqual(['“Tables” added']));
  expect(server.last(calls.createOwnField)?.body).toEqual({
    ...{ name: 'Tables', type: 'number', unit: 'tables', help: '' },
    ...{ requiredToWin: true, inProfile: true, inTable: true, onCard: true, inForm: true },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('choices are renamed, added, no longer offered and offered again', async () => {
  const { server } = open([supplier]);
  server.responds(calls.changeOwnField, supplier);
  await choose('Supplier', 'Edit');
  const first = screen.getByRole('textbox', { name: 'Choice 1' });
  await userEvent.clear(first);
  await userEvent.type(first, 'Acme Ltd');
  await press('Add choice');
  await userEvent.type(screen.getByRole('textbox', { name: 'Choice 2' }), 'Böhm');
  await press('Move choice 2 up');
  await press('Offer Old Ltd again');
  await press('Save');
  await waitFor(() => expect(server.times(calls.changeOwnField)).toBe(1));
  expect(server.last(calls.changeOwnField)?.body).toMatchObject({
    choices: [{ label: 'Böhm' }, { id: '1', label: 'Acme Ltd' }, { id: '2', label: 'Old Ltd' }],
  });
});

test('only what was changed is sent, so that what others change meanwhile stays', async () => {
  const { server } = open([supplier]);
  server.responds(calls.changeOwnField, supplier);
  await choose('Supplier', 'Edit');
  await userEvent.type(screen.getByLabelText('Help text'), 'As on the invoice');
  await userEvent.click(screen.getByRole('checkbox', { name: 'On cards of the board' }));
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(calls.changeOwnField)?.body).toEqual({ help: 'As on the invoice', onCard: true });
  await choose('Supplier', 'Edit');
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.times(calls.changeOwnField), 'nothing was changed').toBe(1);
});

test('a choice that is added while the choices are edited goes on being offered', async () => {
  const { server, queries } = open([supplier]);
  server.responds(calls.changeOwnField, supplier);
  await choose('Supplier', 'Edit');
  await userEvent.type(screen.getByRole('textbox', { name: 'Choice 1' }), ' Ltd');
  const choices = [...supplier.choices, { id: '3', label: 'Imported', retired: false }];
  act(() => queries.setQueryData(read(calls.listOwnFields).queryKey, { fields: [{ ...supplier, choices }] }));
  await press('Save');
  await waitFor(() => expect(server.times(calls.changeOwnField)).toBe(1));
  expect(server.last(calls.changeOwnField)?.body).toEqual({
    choices: [
      { id: '1', label: 'Acme Ltd' },
      { id: '3', label: 'Imported' },
    ],
  });
});

test('a name in use is said at the name, and what was typed stays', async () => {
  const { server } = open([tables]);
  server.refuses(calls.changeOwnField, 'duplicate_name', 'There is a field of this name already');
  await choose('Tables', 'Edit');
  const name = screen.getByLabelText('Name');
  await userEvent.type(name, ' inside');
  await press('Save');
  await waitFor(() => expect(name).toHaveAccessibleDescription('There is a field of this name already'));
  expect(name).toHaveValue('Tables inside');
});

test('fields are moved by buttons, which keep the focus', async () => {
  const { server } = open([tables, supplier]);
  server.responds(calls.orderOwnFields, { fields: [supplier, tables] });
  await press('Move Supplier up');
  expect(server.last(calls.orderOwnFields)?.body).toEqual({ ids: [2, 1] });
  expect(listed()[0]).toHaveTextContent('Supplier');
  expect(screen.getByRole('status')).toHaveTextContent('Supplier is now field 1 of 2');
  expect(screen.getByRole('button', { name: 'Move Supplier up' })).toHaveFocus();
});

test('archiving is undone by its toast', async () => {
  const { server, toasts, lastUndo } = open([tables]);
  server.responds(calls.archiveOwnField, tables);
  server.responds(calls.restoreOwnField, tables);
  await choose('Tables', 'Archive');
  await waitFor(() => expect(toasts).toEqual(['“Tables” archived']));
  lastUndo()?.();
  await waitFor(() => expect(toasts).toEqual(['“Tables” archived', '“Tables” restored']));
});

test('an archived field is deleted after it says how many leads lose a value', async () => {
  const { server, toasts } = open([old]);
  const job = {
    ...{ id: '00000000-0000-4000-8000-000000000001', state: 'done' as const, total: 1_200, done: 1_200 },
    ...{ success: 1_200, failed: 0, reasons: [], message: null, batchId: null, createdAt: '2026-11-16T09:00:00.000Z' },
  };
  server.responds(calls.countOwnFieldValues, { leads: 1_200 });
  server.responds(calls.deleteOwnField, { ...job, state: 'running', done: 0 });
  server.responds(getJob, job);
  await press('Delete Old one');
  expect(await screen.findByText('1,200 leads lose a value.')).toBeVisible();
  expect(screen.getByText(/^This cannot be undone/)).toBeVisible();
  await press('Delete for good');
  await waitFor(() => expect(toasts).toEqual(['“Old one” deleted, with the values of 1,200 leads']));
  expect(server.last(calls.deleteOwnField)?.body).toEqual({ leads: 1_200 });
});
