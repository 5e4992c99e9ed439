import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { exportReport } from '#contract/reports/report-file.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';
import { CsvButton } from './CsvButton.tsx';
import { THIS_MONTH } from './report-state.ts';

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  URL.createObjectURL = () => 'blob:report';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});

const NAME = 'report-by-tag-2026-11-01-to-2026-11-19.csv';
const toFile = (text: string) =>
  new Response(text, { headers: { 'content-disposition': `attachment; filename="${NAME}"` } });

test('a table is saved with the filters of the screen, under the name of the server', async () => {
  const server = fakeServer();
  server.handles(exportReport, () => toFile('\ufeff"Tag","Assigned"\r\n"hot","20"\r\n'));
  const state = { ...THIS_MONTH, person: 7, district: 'LS1', tag: 'hot' };
  const { toasts } = show(<CsvButton table="tag" of="the table by tag" state={state} />);

  await userEvent.click(screen.getByRole('button', { name: 'CSV: the table by tag' }));

  await waitFor(() => expect(toasts).toEqual([`Table exported | The file is called ${NAME}.`]));
  expect(saved).toEqual([NAME]);
  const { searchParams } = new URL(server.last(exportReport)?.path ?? '', 'http://localhost');
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{ table: 'tag', period: 'month', user: '7', district: 'LS1', tags: 'hot' },
  });
});

test('the file of the pipeline is of the day that is shown', async () => {
  const server = fakeServer();
  server.handles(exportReport, () => toFile('\ufeff"Status"\r\n"New"\r\n'));
  const { toasts } = show(
    <CsvButton table="pipeline" of="the pipeline" state={{ ...THIS_MONTH, asOf: '2026-11-09' }} />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'CSV: the pipeline' }));
  await waitFor(() => expect(toasts).toHaveLength(1));
  const { searchParams } = new URL(server.last(exportReport)?.path ?? '', 'http://localhost');
  expect(Object.fromEntries(searchParams)).toEqual({ table: 'pipeline', period: 'month', asOf: '2026-11-09' });
});

test('a file that is not complete is not saved', async () => {
  const server = fakeServer();
  server.handles(exportReport, () => toFile('\ufeff"Step","Leads"\r\n"Assig'));
  const { toasts } = show(<CsvButton table="funnel" of="the funnel" state={THIS_MONTH} />);

  await userEvent.click(screen.getByRole('button', { name: 'CSV: the funnel' }));

  const lost = 'Export failed | The connection was lost. Nothing was saved; please try again.';
  await waitFor(() => expect(toasts).toEqual([lost]));
  expect(saved).toEqual([]);
});
