import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { BATCH_HEADER } from '#contract/changes/changes.calls.ts';
import { bulkAddTag, bulkRemoveTag } from '#contract/leads/bulk/bulk.calls.ts';
import { DETAIL_FIELDS, DETAIL_KEYS } from '#contract/leads/fields/detail-fields.ts';
import { changeCustomFields, changeLeadStatus, changePhone } from '#contract/leads/leads.calls.ts';
import { DETAIL_VIEWS } from '#web/leads/lead-field-views.tsx';
import { aBusiness, ada, aLead, aLeadItem } from '#web/testing/fixtures.ts';
import { DEFAULT_QUERY, lastQuery, openList, press } from '#web/testing/lead-list.tsx';
import { formatColumns, isColumnsText, parseColumns } from './grid-columns.ts';

const BATCH = { [BATCH_HEADER]: '11111111-1111-4111-8111-111111111111' };

async function openGrid(columns: string, as = ada) {
  window.history.replaceState(null, '', `/crm?view=table&columns=${columns}`);
  const items = [aLeadItem(1, { tags: ['hot', 'old'] }), aLeadItem(2)];
  const view = await openList(items, { as });
  const grid = within(await screen.findByRole('grid', { name: 'Leads' }));
  return { ...view, grid };
}
const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
const cell = (row: number, column: number) =>
  document.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`) as HTMLElement;
const param = (name: string) => new URLSearchParams(window.location.search).get(name);

test('columns survive their text form, unknown ones are dropped, and widths stay within limits', () => {
  expect(formatColumns(parseColumns('name.300,status,phone.180'))).toBe('name.300,status,phone.180');
  expect(formatColumns(parseColumns('status,nonsense,tags.9999,phone.10'))).toBe('status,tags.600,phone.80');
  expect(parseColumns('').map(({ id }) => id)).toEqual(['name']);
  for (const text of ['<b>', 'a b', `${'status,'.repeat(200)}status`]) expect(isColumnsText(text)).toBe(false);
});

test('the standard table stays until columns are chosen, which are reordered and kept in the URL', async () => {
  window.history.replaceState(null, '', '/crm?view=table');
  await openList([aLeadItem(1)]);
  expect(screen.getByRole('table', { name: 'Leads' })).toBeVisible();
  await press('Columns');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Phone' }));
  await waitFor(() => expect(param('columns')).toBe('holder,status,assigned,phone'));
  await press('Move Phone left');
  await waitFor(() => expect(param('columns')).toBe('holder,status,phone,assigned'));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Assigned To' }));
  await press('Compact');
  await waitFor(() => expect(param('density')).toBe('compact'));
  await screen.findByRole('grid', { name: 'Leads', hidden: true });
  await press('Standard table');
  await waitFor(() => expect(param('columns')).toBeNull());
});

test('a click on a heading sorts, and a second one reverses', async () => {
  const { server, grid } = await openGrid('status,contact');
  expect(headings()).toEqual(['', 'Business Name', 'Status', 'Last contact', 'Actions']);
  await userEvent.click(grid.getByRole('button', { name: 'Status' }));
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, sort: 'status' }));
  expect(grid.getByRole('columnheader', { name: /Status/ })).toHaveAttribute('aria-sort', 'ascending');
  await userEvent.click(grid.getByRole('button', { name: 'Status' }));
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, sort: 'status-desc' }));
});

test('all rows are drawn, and those of another order are shown from the first', async () => {
  window.history.replaceState(null, '', '/crm?view=table&columns=status');
  const { server } = await openList(Array.from({ length: 40 }, (_, nth) => aLeadItem(nth + 1)));
  const grid = await screen.findByRole('grid', { name: 'Leads' });
  const countRows = () => within(grid).getAllByRole('row').length;
  await waitFor(() => expect(countRows()).toBe(41));
  const scroller = grid.parentElement as HTMLElement;
  scroller.scrollTop = 900;
  await userEvent.click(within(grid).getByRole('button', { name: 'Status' }));
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, sort: 'status' }));
  await waitFor(() => expect(scroller.scrollTop).toBe(0));
  await waitFor(() => expect(countRows()).toBe(41));
});

test('a width is changed by keyboard and kept in the URL', async () => {
  const { grid } = await openGrid('status');
  grid.getByRole('separator', { name: 'Width of Status' }).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await waitFor(() => expect(param('columns')).toBe('status.180'));
});

test('a width is dragged by the edge of a heading, within its limits, and kept in the URL on release', async () => {
  const { grid } = await openGrid('status');
  const edge = grid.getByRole('separator', { name: 'Width of Status' });
  const user = userEvent.setup();
  const moveTo = (clientX: number, keys?: string) =>
    user.pointer({ target: edge, coords: { clientX }, ...(keys && { keys }) });
  await moveTo(500, '[MouseLeft>]');
  await moveTo(100);
  expect(edge).toHaveAttribute('aria-valuenow', '80');
  await moveTo(560);
  expect(edge).toHaveAttribute('aria-valuenow', '200');
  expect(param('columns')).toBe('status');
  await moveTo(560, '[/MouseLeft]');
  await waitFor(() => expect(param('columns')).toBe('status.200'));
  await moveTo(600);
  expect(edge).toHaveAttribute('aria-valuenow', '200');
});

test('arrows move among cells, Enter edits, Escape cancels and Enter saves', async () => {
  const { server, toasts, lastUndo } = await openGrid('status,email');
  server.responds(changeCustomFields.byId, aLead(2), BATCH);
  cell(0, 0).focus();
  await userEvent.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}');
  expect(cell(1, 2)).toHaveFocus();

  await userEvent.keyboard('{Enter}');
  const field = () => screen.getByRole('textbox', { name: 'Email of Shop 2' });
  expect(field()).toHaveFocus();
  await userEvent.keyboard('typed{Escape}');
  expect(cell(1, 2)).toHaveFocus();
  expect(server.times(changeCustomFields.byId)).toBe(0);

  await userEvent.keyboard('{Enter}');
  await userEvent.clear(field());
  await userEvent.keyboard('shop@example.com{Enter}');
  await waitFor(() => expect(toasts).toContain('Email updated'));
  expect(server.last(changeCustomFields.byId)?.body).toEqual({ customFields: { email: 'shop@example.com' } });
  expect(server.times(changeCustomFields.byId)).toBe(1);
  expect(lastUndo()).toBeDefined();
  expect(cell(1, 2)).toHaveFocus();
});

test.each(DETAIL_KEYS)('the column of %s is edited', async (key) => {
  const { id, label } = DETAIL_FIELDS[key].table;
  const { server, toasts } = await openGrid(id);
  server.responds(changeCustomFields.byId, aLead(1), BATCH);
  expect(headings()).toContain(label);
  await userEvent.dblClick(cell(0, 1));
  const field = screen.getByRole('textbox', { name: `${label} of Shop 1` });
  await userEvent.clear(field);
  await userEvent.type(field, '12{Enter}');
  await waitFor(() => expect(toasts).toContain(DETAIL_VIEWS[key].toasts.success));
  expect(server.last(changeCustomFields.byId)?.body).toEqual({ customFields: { [key]: '12' } });
});

test('the source of a lead is shown, and not edited', async () => {
  window.history.replaceState(null, '', '/crm?view=table&columns=source');
  await openList([aLeadItem(1, { source: { kind: 'sweep' } })], { as: ada });
  await screen.findByRole('grid', { name: 'Leads' });
  expect(cell(0, 1)).toHaveTextContent('Sweep');
  await userEvent.dblClick(cell(0, 1));
  expect(screen.queryByRole('textbox', { name: /^Source of/ })).toBeNull();
});

test('a status is chosen, and tags are added and removed as one change', async () => {
  const { server, toasts } = await openGrid('status,tags');
  server.responds(changeLeadStatus.byId, aLead(1), BATCH);
  await userEvent.dblClick(cell(0, 1));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status of Shop 1' }), 'Recontact');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(toasts).toContain('Status updated'));
  expect(server.last(changeLeadStatus.byId)?.body).toEqual({ status: 'recontact' });

  const succeeded = { results: { success: 1, failed: 0, errors: [] } };
  server.responds(bulkAddTag, succeeded, BATCH);
  server.responds(bulkRemoveTag, succeeded, BATCH);
  await userEvent.dblClick(cell(0, 2));
  const field = screen.getByRole('textbox', { name: 'Tags of Shop 1' });
  expect(field).toHaveValue('hot, old');
  await userEvent.clear(field);
  await userEvent.type(field, 'hot, new{Enter}');
  await waitFor(() => expect(toasts).toContain('Tags updated'));
  const [removed, added] = [server.last(bulkRemoveTag)?.body, server.last(bulkAddTag)?.body] as { batch: string }[];
  expect(removed).toEqual({ ids: [1], tag: 'old', batch: added?.batch });
  expect(added).toMatchObject({ ids: [1], tag: 'new' });
});

test('what the server refuses stays in the field', async () => {
  const { server, toasts } = await openGrid('phone');
  server.refuses(changePhone, 'validation_failed', 'Phone number may contain only digits');
  cell(0, 1).focus();
  await userEvent.keyboard('{Enter}');
  const field = screen.getByRole('textbox', { name: 'Phone of Shop 1' });
  await userEvent.clear(field);
  await userEvent.type(field, 'call me{Enter}');
  await waitFor(() => expect(toasts[0]).toMatch(/^Failed to save/));
  expect(field).toHaveValue('call me');
});

test("a manager reads the team's leads in the table and cannot edit them", async () => {
  await openGrid('status&team=true', { ...ada, id: 9, role: 'manager' });
  await userEvent.dblClick(cell(0, 1));
  expect(screen.queryByRole('combobox', { name: 'Status of Shop 1' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Open Shop 1' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Log a contact/ })).toBeNull();
});

test('a refused text stays in its cell while another cell is edited, and is not sent again by that', async () => {
  const { server, toasts } = await openGrid('phone,email');
  server.refuses(changePhone, 'validation_failed', 'Phone number may contain only digits');
  cell(0, 1).focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.type(screen.getByRole('textbox', { name: 'Phone of Shop 1' }), 'call me{Enter}');
  await waitFor(() => expect(toasts).toHaveLength(1));
  await userEvent.dblClick(cell(0, 2));
  expect(screen.getByRole('textbox', { name: 'Email of Shop 1' })).toHaveFocus();
  expect(screen.getByRole('textbox', { name: 'Phone of Shop 1' })).toHaveValue('call me');
  expect(server.times(changePhone)).toBe(1);
});

test('letters typed after Enter stay in the field, and leaving it saves them', async () => {
  const { server } = await openGrid('phone');
  const saving = server.holds(changePhone);
  cell(0, 1).focus();
  await userEvent.keyboard('{Enter}');
  const field = screen.getByRole('textbox', { name: 'Phone of Shop 1' });
  await userEvent.type(field, '01{Enter}9');
  saving.respond(aBusiness(1, { phone: '01' }));
  await waitFor(() => expect(field).not.toHaveAttribute('aria-busy', 'true'));
  expect(field).toHaveValue('019');
  server.responds(changePhone, aBusiness(1, { phone: '019' }));
  await userEvent.tab();
  await waitFor(() => expect(server.last(changePhone)?.body).toEqual({ phone: '019' }));
});
