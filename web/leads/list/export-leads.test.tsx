import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { countLeads, exportLeads } from '#contract/leads/lead-export.calls.ts';
import { bob } from '#web/testing/fixtures.ts';
import { choose, lastQuery, openList, press } from '#web/testing/lead-list.tsx';

const HEADER = '\ufeff"Business Name","Town"\r\n';
const saved: { name: string; content: Blob }[] = [];
beforeEach(() => {
  saved.length = 0;
  let content = new Blob();
  URL.createObjectURL = (blob) => {
    content = blob as Blob;
    return 'blob:export';
  };
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content });
  });
});

type Server = Awaited<ReturnType<typeof openList>>['server'];

/** A file in chunks, which then ends, fails or stays open. */
function streamFile(chunks: string[], expected: number, end: 'ends' | 'fails' | 'stays open' = 'ends') {
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const chunk of chunks) stream.enqueue(new TextEncoder().encode(chunk));
      if (end === 'ends') stream.close();
    },
    pull(stream) {
      if (end === 'fails') stream.error(new TypeError('network error'));
      return end === 'stays open' ? new Promise<void>(() => {}) : undefined;
    },
  });
  return () => new Response(body, { headers: { 'x-row-count': String(expected) } });
}

async function openExport(server: Server, total: number) {
  server.responds(countLeads, { total });
  await press('Export');
  const dialog = await screen.findByRole('dialog', { name: 'Export Leads' });
  return within(dialog);
}

test('the dialog shows the number of leads, and the toast the number saved', async () => {
  const { server, toasts } = await openList();
  await choose('UK Town', 'York');
  await choose('Sort by date', 'Oldest first');
  const dialog = await openExport(server, 2);
  expect(await dialog.findByText('2 leads')).toBeVisible();
  expect(lastQuery(server, countLeads)).toMatchObject({ town: 'York', hideClosed: 'true', archived: 'false' });

  server.handles(exportLeads, streamFile([`${HEADER}"Zo`, 'ë","York"\r\n"b","York"\r\n'], 2));
  await userEvent.click(dialog.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(toasts.at(-1)).toBe('2 leads exported | The file is called leads.csv.'));
  expect(lastQuery(server, exportLeads)).toMatchObject({ town: 'York', sort: 'oldest', hideClosed: 'true' });
  expect(lastQuery(server, exportLeads)).not.toHaveProperty('page');
  expect(saved.map(({ name }) => name)).toEqual(['leads.csv']);
  const bytes = (await saved[0]?.content.arrayBuffer()) ?? new ArrayBuffer();
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(`${HEADER}"Zoë","York"\r\n"b","York"\r\n`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Export' })).toHaveFocus();
});

test('a user exports their own leads, with an uncapped count', async () => {
  const { server } = await openList(undefined, { as: bob });
  const dialog = await openExport(server, 123_456);
  expect(await dialog.findByText('123,456 leads')).toBeVisible();
  expect(lastQuery(server, countLeads)).toMatchObject({ user: String(bob.id) });
});

test.each([
  { how: 'with an error', end: 'fails', chunk: '"b","York"\r\n' },
  { how: 'without an error in the middle of a row', end: 'ends', chunk: '"b","Yo' },
] as const)('a file that breaks off $how is not saved', async ({ end, chunk }) => {
  const { server, toasts } = await openList();
  const dialog = await openExport(server, 3);
  server.handles(exportLeads, streamFile([`${HEADER}"a","York"\r\n`, chunk], 3, end));
  await userEvent.click(await dialog.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() =>
    expect(toasts.at(-1)).toMatch(
      /^Export failed \| The connection was lost after (1 lead|2 leads)\. Nothing was saved; please try again\.$/,
    ),
  );
  expect(saved).toEqual([]);
  server.handles(exportLeads, streamFile([`${HEADER}"a","York"\r\n`], 1));
  await userEvent.click(dialog.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(toasts.at(-1)).toBe('1 lead exported | The file is called leads.csv.'));
});

test('a file with another number of rows than announced is reported', async () => {
  const { server, toasts } = await openList();
  const dialog = await openExport(server, 3);
  server.handles(exportLeads, streamFile([`${HEADER}"a","York"\r\n`, '"b","York"\r\n'], 3));
  await userEvent.click(await dialog.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() =>
    expect(toasts.at(-1)).toBe('2 leads exported | There were 3 when it began: others changed leads meanwhile.'),
  );
  expect(saved).toHaveLength(1);
});

test('the dialog shows progress and can be cancelled', async () => {
  const { server, toasts } = await openList();
  const before = toasts.length;
  const dialog = await openExport(server, 3);
  server.handles(exportLeads, streamFile([`${HEADER}"a","York"\r\n`, '"b","York"\r\n'], 3, 'stays open'));
  await userEvent.click(await dialog.findByRole('button', { name: 'Export CSV' }));
  expect(await dialog.findByText('2 of 3 done')).toBeVisible();
  expect(dialog.getByRole('progressbar', { name: 'Leads exported' })).toHaveAttribute('aria-valuetext', '2 of 3 done');
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.last(exportLeads)?.signal?.aborted).toBe(true);
  expect(saved).toEqual([]);
  expect(toasts).toHaveLength(before);
});

test('without leads, or without a count, there is no export', async () => {
  const { server } = await openList();
  const dialog = await openExport(server, 0);
  expect(await dialog.findByText(/there is nothing to export/)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Export CSV' })).toBeDisabled();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));

  server.refuses(countLeads, 'internal', 'Something went wrong');
  await press('Export');
  expect(await screen.findByText('Leads could not be counted')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
});

test('a refused export shows the reason', async () => {
  const { server, toasts } = await openList();
  const dialog = await openExport(server, 3);
  server.refuses(exportLeads, 'rate_limited', 'Too many requests');
  await userEvent.click(await dialog.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(toasts.at(-1)).toBe('Export failed | 429: Too many requests'));
  expect(saved).toEqual([]);
});
