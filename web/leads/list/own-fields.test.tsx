import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeOwnValues } from '#contract/leads/leads.calls.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { read } from '#web/kit/api.ts';
import { ada, aLead, aLeadItem, aLeadPage, anOwnField } from '#web/testing/fixtures.ts';
import { listServer, showList } from '#web/testing/lead-list.tsx';

const CHOICES = ['Acme', 'Böhm'].map((label, nth) => ({ id: String(nth + 1), label, retired: false }));
const PAYMENTS = ['Cash', 'Card', 'Cheque'].map((label, nth) => ({
  id: String(nth + 1),
  label,
  retired: label === 'Cheque',
}));
const supplier = anOwnField(7, { name: 'Supplier', type: 'choice', choices: CHOICES, onCard: true });
const tables = anOwnField(8, { name: 'Tables', type: 'number', unit: 'tables', onCard: true });
const notes = anOwnField(9, { name: 'Access', type: 'long_text' });
const payment = anOwnField(12, { name: 'Payment', type: 'choices', choices: PAYMENTS });
const hidden = anOwnField(10, { name: 'Hidden', inTable: false });
const archived = anOwnField(11, { name: 'Gone', archived: true, onCard: true });

async function open(search: string) {
  window.history.replaceState(null, '', `/crm?${search}`);
  const values = { 7: '1', 8: 1500, 9: 'one\ntwo', 10: 'x', 11: 'y', 12: ['1'] };
  const server = listServer([aLeadItem(1, { userId: ada.id, ownFields: values }), aLeadItem(2)]);
  server.responds(listOwnFields, { fields: [supplier, tables, notes, payment, hidden, archived] });
  return { server, ...showList() };
}
const openGrid = async (columns: string) => {
  const view = await open(`view=table&columns=${columns}`);
  await screen.findByRole('columnheader', { name: /^Supplier/ });
  return view;
};
const cell = (row: number, column: number) =>
  document.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`) as HTMLElement;

test('own fields are columns, with their widths and order in the URL', async () => {
  await openGrid('field8.120,field7');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    ...['', 'Business Name', 'Tables', 'Supplier', 'Actions'],
  ]);
  expect(cell(0, 1)).toHaveTextContent('1,500 tables');
  expect(cell(0, 2)).toHaveTextContent('Acme');
  expect(cell(1, 1)).toHaveTextContent('');
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  expect(await screen.findByRole('checkbox', { name: 'Access' })).not.toBeChecked();
  expect(screen.queryByRole('checkbox', { name: 'Hidden' })).toBeNull();
  expect(screen.queryByRole('checkbox', { name: 'Gone' })).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Access' }));
  await waitFor(() =>
    expect(new URLSearchParams(window.location.search).get('columns')).toBe('field8.120,field7,field9'),
  );
});

test('cells are edited in place: a number as text, a choice from its choices', async () => {
  const { server, toasts } = await openGrid('field8,field7');
  server.responds(changeOwnValues.byId, aLead(1));
  await userEvent.dblClick(cell(0, 1));
  const field = screen.getByRole('textbox', { name: 'Tables of Shop 1' });
  await userEvent.clear(field);
  await userEvent.type(field, 'many{Enter}');
  await waitFor(() => expect(toasts).toEqual(['Failed to save | Tables must be a number such as 1500']));
  expect(field).toHaveValue('many');
  await userEvent.clear(field);
  await userEvent.type(field, '12{Enter}');
  await waitFor(() => expect(toasts).toContain('Tables updated'));
  expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 8: 12 }, before: { 8: 1500 } });

  await userEvent.dblClick(cell(0, 2));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Supplier of Shop 1' }), 'Böhm');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(toasts).toContain('Supplier updated'));
  expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 7: '2' }, before: { 7: '1' } });
});

test('several choices are ticked in a panel at the cell, with the mouse and by keys', async () => {
  const { server, toasts } = await openGrid('field7,field12');
  server.responds(changeOwnValues.byId, aLead(1));
  await userEvent.dblClick(cell(0, 2));
  const panel = within(await screen.findByRole('dialog', { name: 'Payment of Shop 1' }));
  expect(panel.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
    ...['Cash', 'Card'],
  ]);
  await userEvent.click(panel.getByRole('checkbox', { name: 'Card' }));
  await userEvent.click(panel.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(toasts).toEqual(['Payment updated']));
  expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 12: ['1', '2'] }, before: { 12: ['1'] } });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(cell(0, 2)).toHaveFocus();

  await userEvent.keyboard('{Enter}');
  const cash = await screen.findByRole('checkbox', { name: 'Cash' });
  expect(cash).toHaveFocus();
  await userEvent.keyboard(' {ArrowDown}');
  expect(screen.getByRole('checkbox', { name: 'Card' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 12: null }, before: { 12: ['1'] } }),
  );
  await waitFor(() => expect(cell(0, 2)).toHaveFocus());
  expect(server.times(changeOwnValues.byId)).toBe(2);
});

test('what is ticked in a panel is saved by a click beside it, once, and Escape keeps what was', async () => {
  const { server } = await openGrid('field7,field12');
  server.responds(changeOwnValues.byId, aLead(1));
  await userEvent.dblClick(cell(0, 2));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Card' }));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(cell(0, 2)).toHaveFocus();
  expect(server.times(changeOwnValues.byId)).toBe(0);

  await userEvent.dblClick(cell(1, 2));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Card' }));
  await userEvent.click(cell(0, 1));
  await waitFor(() =>
    expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 12: ['2'] }, before: { 12: null } }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.times(changeOwnValues.byId)).toBe(1);
});

test('what another user writes while a cell is edited is said before it is replaced', async () => {
  const { server, queries, toasts } = await openGrid('field8,field7');
  server.handles(changeOwnValues.byId, () =>
    Response.json({ code: 'stale_field', message: 'Changed', current: { 8: 40 } }, { status: 409 }),
  );
  await userEvent.dblClick(cell(0, 1));
  const field = screen.getByRole('textbox', { name: 'Tables of Shop 1' });
  await userEvent.clear(field);
  await userEvent.type(field, '12');
  server.responds(listLeads, aLeadPage([aLeadItem(1, { userId: ada.id, ownFields: { 8: 40 } }), aLeadItem(2)], 2));
  await act(() => queries.invalidateQueries());
  await userEvent.type(field, '{Enter}');
  await waitFor(() =>
    expect(toasts).toEqual([
      'Failed to save | Another user has changed it to “40” meanwhile. Save again to replace that.',
    ]),
  );
  expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 8: 12 }, before: { 8: 1500 } });
  expect(field).toHaveValue('12');
  server.responds(changeOwnValues.byId, aLead(1));
  await userEvent.type(field, '{Enter}');
  await waitFor(() => expect(toasts).toContain('Tables updated'));
  expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 8: 12 }, before: { 8: 40 } });
});

test('a long text is one line of its row, and keeps its lines when it is edited', async () => {
  const { server } = await openGrid('field7,field9');
  expect(cell(0, 2)).toHaveTextContent('one two');
  expect(cell(0, 2).querySelector('.whitespace-pre-line')).toBeNull();
  server.responds(changeOwnValues.byId, aLead(1));
  await userEvent.dblClick(cell(0, 2));
  const field = screen.getByRole('textbox', { name: 'Access of Shop 1' });
  await userEvent.type(field, '{Shift>}{Enter}{/Shift}three{Enter}');
  await waitFor(() =>
    expect(server.last(changeOwnValues.byId)?.body).toMatchObject({ values: { 9: 'one\ntwo\nthree' } }),
  );
});

test.each([
  ['archived', { archived: true }],
  ['deleted', undefined],
  ['taken out of the table', { inTable: false }],
])('what was typed in a cell stays when its field is %s meanwhile, and the user is told', async (_, change) => {
  const { queries } = await openGrid('field8,field7');
  await userEvent.dblClick(cell(0, 1));
  await userEvent.type(screen.getByRole('textbox', { name: 'Tables of Shop 1' }), ' and 12 outside');
  const { queryKey } = read(listOwnFields);
  const { fields } = queries.getQueryData<{ fields: OwnField[] }>(queryKey) ?? { fields: [] };
  const others = fields.flatMap((field) => (field.id !== 8 ? field : change ? { ...field, ...change } : []));
  act(() => queries.setQueryData(queryKey, { fields: others }));
  expect(
    await screen.findByText('“Tables” is no longer a column, so that this was not saved for Shop 1:'),
  ).toBeVisible();
  expect(screen.getByText('1500 and 12 outside')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByText('1500 and 12 outside')).toBeNull());
});

test('cards of the board show the fields that are for them', async () => {
  await open('view=board');
  const card = within((await screen.findAllByRole('article', { name: 'Shop 1' }))[0] as HTMLElement);
  expect(await card.findByText('Supplier: Acme · Tables: 1,500 tables')).toBeVisible();
  expect(card.queryByText(/Gone/)).toBeNull();
});
