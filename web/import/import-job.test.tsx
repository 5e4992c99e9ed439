import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ImportJob } from '#contract/import/import-job.ts';
import { cancelImport, continueImport, getImport, listImports } from '#contract/import/import-jobs.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { read } from '#web/kit/api.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { anImport } from '#web/testing/imports.ts';
import { show } from '#web/testing/show.tsx';
import { ImportJobScreen } from './ImportJobScreen.tsx';

function open(job: Partial<ImportJob>) {
  const server = fakeServer();
  server.responds(getImport, anImport(job));
  server.responds(listImports, { items: [] });
  return { server, ...show(<ImportJobScreen id={anImport().id} />) };
}

const heading = (name: string) => screen.findByRole('heading', { level: 2, name });
const DONE = {
  state: 'done' as const,
  counts: { total: 10, successful: 8, failed: 2, created: 5, alreadyThere: 2, repeated: 1 },
  message: 'Imported 8 of 10 businesses.',
  batchId: '00000000-0000-4000-9000-000000000001',
};

test('a running import shows its progress, and its result when it is done', async () => {
  const { server, queries } = open({ state: 'running', progress: { share: 0.3, rows: 3_000 } });
  const leads = read(listLeads).queryKey;
  queries.setQueryData(leads, { items: [] } as never);
  // The focus stays where it is until a step replaces another.
  expect(await heading('Importing')).not.toHaveFocus();
  expect(screen.getByText('3,000 of about 10,000 rows')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Importing' })).toHaveAttribute('aria-valuenow', '30');
  expect(
    screen.getByText('You can leave this page: the import goes on. The bell reports when it is done.'),
  ).toBeVisible();
  expect(screen.getAllByRole('status').map((region) => region.textContent)).toEqual(['Importing', '25% done']);
  screen.getByRole('button', { name: 'Cancel' }).focus();

  server.responds(getImport, anImport(DONE));
  expect(await heading('Import Successful')).toHaveFocus();
  expect(screen.getByText('Imported 8 of 10 businesses.')).toBeVisible();
  expect(screen.getByText('Refused', { selector: 'dt' }).nextSibling).toHaveTextContent('2');
  expect(queries.getQueryState(leads)?.isInvalidated).toBe(true);
  const polls = server.times(getImport);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(server.times(getImport)).toBeLessThanOrEqual(polls + 1);
});

test('a running import can be cancelled, and says so until it has stopped', async () => {
  const { server } = open({ state: 'running', progress: { share: 0.3, rows: 3_000 } });
  await heading('Importing');
  expect(screen.getByText('Cancel stops after the current batch; imported rows stay.')).toBeVisible();
  server.responds(cancelImport, anImport({ state: 'running' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('button', { name: 'Cancelling...' })).toHaveAttribute('aria-disabled', 'true');
  server.responds(getImport, anImport({ state: 'cancelled', canContinue: true }));
  await heading('Import cancelled');
});

test('a check can be cancelled', async () => {
  const { server } = open({ state: 'checking', progress: { share: 0, rows: 0 } });
  await heading('Checking the file');
  server.responds(cancelImport, anImport({ state: 'mapping' }));
  server.responds(getImport, anImport({ state: 'mapping' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await heading('Match columns');
});

test('a finished import leads to its undo, its refused rows and another file', async () => {
  open({ ...DONE, correctable: 2 });
  await heading('Import Successful');
  const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(href('Undo in Recent changes')).toBe('/changes?kind=import');
  expect(href('Correct 2 rows')).toBe(`/import/${anImport().id}/corrections`);
  expect(href('Import Another File')).toBe('/import');
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
});

test('a check that was stopped says why, and leads back to the columns', async () => {
  open({ state: 'stopped', message: 'The server was restarted after row 400.', canContinue: true });
  await heading('Import stopped');
  expect(screen.getByText('The server was restarted after row 400.')).toBeVisible();
  expect(screen.queryByRole('link', { name: /Undo|Correct/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Back to columns' }));
  expect(await heading('Match columns')).toHaveFocus();
});

test('a cancelled import can be continued after its last row', async () => {
  const counts = { total: 400, successful: 399, failed: 1, created: 399, alreadyThere: 0, repeated: 0 };
  const { server } = open({ state: 'cancelled', counts, canContinue: true });
  await heading('Import cancelled');
  expect(screen.queryByRole('button', { name: /Back to columns|Discard/ })).toBeNull();
  server.responds(continueImport, anImport({ state: 'running' }));
  server.responds(getImport, anImport({ state: 'running' }));
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await heading('Importing');
});

test('an import of which nothing could be used is no success', async () => {
  open({ state: 'done', counts: { total: 2, successful: 0, failed: 2, created: 0, alreadyThere: 0, repeated: 0 } });
  await heading('Nothing imported');
});

test('an import that does not exist says so, and leads to the others', async () => {
  const server = fakeServer();
  server.refuses(getImport, 'not_found', 'This import no longer exists');
  show(<ImportJobScreen id="nonsense" />);
  expect(await screen.findByRole('alert')).toHaveTextContent('This import no longer exists');
  expect(screen.getByRole('link', { name: 'All Imports' })).toHaveAttribute('href', '/import');
  server.responds(getImport, anImport());
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Import of leads.xlsx' })).toBeVisible());
});
