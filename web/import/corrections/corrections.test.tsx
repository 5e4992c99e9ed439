import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { correctRows, getImport, listImports, listRefusedRows } from '#contract/import/import-jobs.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, SETTINGS } from '#web/testing/fixtures.ts';
import { anImport } from '#web/testing/imports.ts';
import { show } from '#web/testing/show.tsx';
import { CorrectionScreen } from './CorrectionScreen.tsx';

const { id, columns } = anImport();
const PHONE_REASON = 'Phone number may contain only digits ("ask Bob")';
const ROWS = [
  { row: 4, reason: 'Business Name is required', cells: ['', '01632 960001', '9'], wrong: [0] },
  { row: 12, reason: PHONE_REASON, cells: ['Crag Books', 'ask Bob'], wrong: [1] },
];
const cell = (row: number, column: string) => screen.getByRole('textbox', { name: `Row ${row}, ${column}` });
const submit = () => screen.getByRole('button', { name: 'Import corrected rows' });

async function open(rows = ROWS, fileColumns = columns) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(getImport, anImport({ state: 'done', correctable: rows.length }));
  server.responds(listImports, { items: [] });
  server.responds(listRefusedRows, { columns: fileColumns, rows });
  const shown = show(<CorrectionScreen id={id} />);
  await screen.findByRole('table', { name: 'Rows to correct' });
  return { server, ...shown };
}

test('only the wrong cells are marked, with the reason; ignored columns are left out', async () => {
  await open();
  expect(screen.getByText(/^2 rows to correct\./)).toBeVisible();
  expect(cell(4, 'Company')).toBeInvalid();
  expect(cell(4, 'Company')).toHaveAccessibleDescription('Business Name is required');
  expect(cell(4, 'Tel')).toBeValid();
  expect(cell(12, 'Tel')).toHaveValue('ask Bob');
  expect(cell(12, 'Tel')).toBeInvalid();
  expect(screen.queryByRole('textbox', { name: 'Row 4, Turnover' })).toBeNull();
  expect(
    within(screen.getByRole('table'))
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
  ).toEqual(['Row', 'CompanyBusiness Name', 'TelPhone']);
});

test('the business name and the columns with wrong cells come first', async () => {
  const town = { heading: 'City', samples: [], target: 'Town' as const };
  const wide = [town, ...columns.slice(0, 2)];
  await open([{ row: 4, reason: PHONE_REASON, cells: ['Leeds', 'Crag Books', 'ask Bob'], wrong: [2] }], wide);
  expect(screen.getAllByRole('textbox').map((input) => input.getAttribute('aria-label'))).toEqual([
    'Row 4, Company',
    'Row 4, Tel',
    'Row 4, City',
  ]);
  expect(cell(4, 'Tel')).toHaveValue('ask Bob');
  expect(cell(4, 'Tel')).toBeInvalid();
  expect(cell(4, 'City')).toHaveValue('Leeds');
});

test('Down, Up and Enter move between rows within a column', async () => {
  await open();
  await userEvent.click(cell(4, 'Tel'));
  await userEvent.keyboard('{ArrowDown}');
  expect(cell(12, 'Tel')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{ArrowUp}');
  expect(cell(4, 'Tel')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(cell(12, 'Tel')).toHaveFocus();
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  expect(cell(4, 'Tel')).toHaveFocus();
});

test('changed rows are imported and leave; a row that is still wrong keeps what was typed, with the new reason', async () => {
  const { server, toasts } = await open();
  await userEvent.type(cell(4, 'Company'), 'Elm Shoes');
  await userEvent.clear(cell(12, 'Tel'));
  await userEvent.type(cell(12, 'Tel'), 'ring Sue');
  const refused = [
    { row: 12, reason: 'Still no number ("ring Sue")', cells: ['Crag Books', 'ring Sue', ''], wrong: [1] },
  ];
  const job = anImport({ state: 'done', correctable: 1 });
  server.responds(correctRows, { imported: 1, refused, job });
  server.responds(listRefusedRows, { columns, rows: refused });
  await userEvent.click(submit());
  await waitFor(() => expect(toasts).toEqual(['1 row imported | 1 row still refused.']));
  expect(server.last(correctRows)?.body).toEqual({
    rows: [
      { row: 4, cells: ['Elm Shoes', '01632 960001', '9'] },
      { row: 12, cells: ['Crag Books', 'ring Sue', ''] },
    ],
  });
  expect(screen.queryByRole('textbox', { name: 'Row 4, Company' })).toBeNull();
  expect(cell(12, 'Tel')).toHaveValue('ring Sue');
  expect(cell(12, 'Tel')).toHaveAccessibleDescription('Still no number ("ring Sue")');
  expect(readDraft(ada.id, `import.${id}.4`)).toBeUndefined();
  expect(readDraft(ada.id, `import.${id}.12`)).toBeDefined();

  server.responds(correctRows, { imported: 1, refused: [], job: anImport({ state: 'done' }) });
  server.responds(listRefusedRows, { columns, rows: [] });
  await userEvent.clear(cell(12, 'Tel'));
  await userEvent.click(submit());
  expect(await screen.findByRole('heading', { name: 'All rows are corrected' })).toBeVisible();
  expect(screen.getByText(/^No row is left to correct/)).toHaveFocus();
  expect(readDraft(ada.id, `import.${id}.12`)).toBeUndefined();
});

test('only the changed rows are sent, or all rows if none was changed', async () => {
  const { server } = await open();
  const job = anImport({ state: 'done', correctable: 2 });
  server.responds(correctRows, { imported: 0, refused: ROWS, job });
  const sent = () =>
    (server.last(correctRows)?.body as { rows: { row: number }[] } | undefined)?.rows.map(({ row }) => row);
  await userEvent.click(submit());
  await waitFor(() => expect(sent()).toEqual([4, 12]));
  await userEvent.type(cell(12, 'Company'), ' Ltd');
  await userEvent.click(submit());
  await waitFor(() => expect(sent()).toEqual([12]));
});

test('what was typed is still there after leaving, and when the import of the rows fails', async () => {
  const { server, toasts, unmount } = await open();
  await userEvent.type(cell(4, 'Company'), 'Elm Shoes');
  server.vanishes(correctRows);
  await userEvent.click(submit());
  await waitFor(() => expect(toasts[0]).toMatch(/^The rows could not be imported/));
  expect(cell(4, 'Company')).toHaveValue('Elm Shoes');
  unmount();
  await open();
  expect(cell(4, 'Company')).toHaveValue('Elm Shoes');
  await userEvent.clear(cell(4, 'Company'));
  expect(readDraft(ada.id, `import.${id}.4`)).toBeUndefined();
});

test('more than 500 rows are sent in several requests, and shown a hundred at a time', async () => {
  const rows = Array.from({ length: 501 }, (_, index) => ({
    row: index + 2,
    reason: 'Business Name is required',
    cells: ['', '', ''],
    wrong: [0],
  }));
  const { server } = await open(rows);
  expect(screen.getAllByRole('rowheader')).toHaveLength(100);
  await userEvent.click(screen.getByRole('button', { name: 'Show more rows' }));
  expect(screen.getAllByRole('rowheader')).toHaveLength(200);
  server.responds(correctRows, { imported: 0, refused: [], job: anImport({ state: 'done' }) });
  server.responds(listRefusedRows, { columns, rows: [] });
  await userEvent.click(submit());
  await screen.findByRole('heading', { name: 'All rows are corrected' });
  const sizes = server.requests
    .filter(({ path }) => path.endsWith('/corrections'))
    .map(({ body }) => (body as { rows: unknown[] }).rows.length);
  expect(sizes).toEqual([500, 1]);
});

test('the rows can be downloaded, and a cell of several lines becomes one line', async () => {
  const saved: Blob[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL: () => {} }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await open([{ row: 4, reason: 'Too long', cells: ['Elm Shoes', '01632\n960001'], wrong: [] }]);
  expect(cell(4, 'Tel')).toHaveValue('01632, 960001');
  await userEvent.click(screen.getByRole('button', { name: 'Download Refused Rows' }));
  const text = new TextDecoder().decode(await saved[0]?.arrayBuffer());
  expect(text).toContain('"Company","Tel","Turnover","Import Error"');
});

test('rows that cannot be loaded can be tried again', async () => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(getImport, anImport());
  server.refuses(listRefusedRows, 'internal', 'Something went wrong');
  show(<CorrectionScreen id={id} />);
  await screen.findByRole('alert');
  server.responds(listRefusedRows, { columns, rows: ROWS });
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('table', { name: 'Rows to correct' })).toBeVisible();
});
