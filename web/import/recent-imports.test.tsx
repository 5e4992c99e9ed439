import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { cancelImport, listImports } from '#contract/import/import-jobs.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aListedImport, anImport } from '#web/testing/imports.ts';
import { show } from '#web/testing/show.tsx';
import { ImportScreen } from './ImportScreen.tsx';

const ID = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const RUNNING = aListedImport({ id: ID(1), state: 'running', progress: { share: 0.35, rows: 3_500 } });
const current = () => screen.findByRole('list', { name: 'Current imports' });

function open(...items: ReturnType<typeof aListedImport>[]) {
  const server = fakeServer();
  server.responds(listImports, { items });
  return { server, ...show(<ImportScreen />) };
}

test('the latest imports are listed with their state, user, progress and page', async () => {
  open(
    aListedImport({
      id: ID(2),
      fileName: 'done.csv',
      state: 'done',
      importedBy: 'Grace Hopper',
      counts: { total: 3, successful: 2, failed: 1, created: 2, alreadyThere: 0, repeated: 0 },
    }),
    aListedImport({ id: ID(3), fileName: 'gone.csv', state: 'stopped', importedBy: null }),
  );
  const list = await screen.findByRole('list', { name: 'Recent imports' });
  const [done, stopped] = within(list).getAllByRole('listitem');
  expect(done).toHaveTextContent('done.csv');
  expect(done).toHaveTextContent('Done');
  expect(done).toHaveTextContent('Grace Hopper');
  expect(done).toHaveTextContent('2 new leads of 3 rows');
  expect(within(done as HTMLElement).getByRole('link')).toHaveAttribute('href', `/import/${ID(2)}`);
  expect(stopped).toHaveTextContent('Stopped');
  expect(screen.queryByRole('list', { name: 'Current imports' })).toBeNull();
});

test('a running import is shown on top, refreshed, and can be cancelled', async () => {
  const { server } = open(RUNNING);
  expect(await current()).toHaveTextContent('leads.xlsx: 3,500 of about 10,000 rows');
  server.responds(listImports, { items: [{ ...RUNNING, progress: { share: 0.5, rows: 5_000 } }] });
  await waitFor(() =>
    expect(screen.getByRole('progressbar', { name: 'Progress of leads.xlsx' })).toHaveAttribute('aria-valuenow', '50'),
  );
  server.responds(cancelImport, anImport({ id: ID(1), state: 'cancelled' }));
  server.responds(listImports, { items: [{ ...RUNNING, state: 'cancelled' }] });
  await userEvent.click(screen.getByRole('button', { name: 'Cancel the import of leads.xlsx' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Current imports' })).toBeNull());
  expect(server.last(cancelImport)?.path).toBe(`/api/imports/${ID(1)}/cancel`);
});

test("the viewer's latest waiting import is shown on top, and no import of others", async () => {
  open(
    aListedImport({ id: ID(4), fileName: 'theirs.csv', state: 'checked', importedBy: 'Grace Hopper' }),
    aListedImport({ id: ID(5), fileName: 'mine.csv', state: 'mapping' }),
    aListedImport({ id: ID(6), fileName: 'old.csv', state: 'checked' }),
  );
  expect(await current()).toHaveTextContent('mine.csv: waits for its columns');
  expect(await current()).not.toHaveTextContent(/theirs|old/);
  expect(screen.getByRole('link', { name: 'Continue mine.csv' })).toHaveAttribute('href', `/import/${ID(5)}`);
});

test('no import yet, and a list that could not be loaded', async () => {
  const { server, unmount } = open();
  expect(await screen.findByText('Nothing has been imported yet.')).toBeVisible();
  unmount();
  server.refuses(listImports, 'internal', 'Something went wrong');
  show(<ImportScreen />);
  await screen.findByText('Recent imports could not be loaded.');
  server.responds(listImports, { items: [RUNNING] });
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('list', { name: 'Recent imports' })).toHaveTextContent('leads.xlsx');
});
