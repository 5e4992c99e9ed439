import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { read } from '#web/kit/api.ts';
import { useIsOffline } from '#web/kit/connection.ts';
import { createQueries } from '#web/kit/queries.ts';
import { AsOf } from '#web/kit/ui/AsOf.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import type { FindKept } from './device-fallback.ts';

const YESTERDAY = Date.parse('2026-11-18T14:05:00Z');
const NOW = Date.parse('2026-11-19T10:00:00Z');
const kept = { ...SETTINGS, supportEmail: 'kept@example.org' };

function Settings() {
  const { data, error, dataUpdatedAt } = useQuery(read(getSettings));
  return (
    <>
      <p>{data?.supportEmail ?? error?.message ?? 'Loading'}</p>
      <p>{useIsOffline() ? 'offline' : 'online'}</p>
      <AsOf at={dataUpdatedAt} />
    </>
  );
}

function showSettings(findKept: FindKept) {
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true });
  const handlers = { toast: () => {}, onSignedOut: () => {}, onSessionChanged: () => {} };
  const queries = createQueries({ ...handlers, findKept });
  show(<Settings />, { queries });
  return queries;
}

test('without a connection a read shows what the device keeps, with its age, until the server can be reached', async () => {
  const server = fakeServer();
  server.vanishes(getSettings);
  const queries = showSettings(async () => ({ data: kept, at: YESTERDAY }));
  expect(await screen.findByText(kept.supportEmail)).toBeVisible();
  expect(await screen.findByText('offline')).toBeVisible();
  expect(screen.getByText('Nov 18, 14:05')).toBeVisible();

  server.responds(getSettings, SETTINGS);
  await queries.refetchQueries();
  expect(await screen.findByText(SETTINGS.supportEmail)).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/^Nov 18/)).toBeNull());
});

test('a read that is not kept says so', async () => {
  fakeServer().vanishes(getSettings);
  showSettings(async () => null);
  expect(await screen.findByText('Not on this device. Needs a connection.')).toBeVisible();
});

test('where nothing is kept, the error is that of the connection', async () => {
  fakeServer().vanishes(getSettings);
  showSettings(async () => undefined);
  expect(await screen.findByText(/^Highstreet could not be reached/)).toBeVisible();
});

test('a read that waits for long shows what the device keeps, and then the answer', async () => {
  const held = fakeServer().holds(getSettings);
  showSettings(async () => ({ data: kept, at: YESTERDAY }));
  await act(() => vi.advanceTimersByTimeAsync(4_900));
  expect(screen.getByText('Loading')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(screen.getByText(kept.supportEmail)).toBeVisible();
  expect(screen.getByText('offline')).toBeVisible();
  held.respond(SETTINGS);
  expect(await screen.findByText(SETTINGS.supportEmail)).toBeVisible();
  expect(await screen.findByText('online')).toBeVisible();
});

test('a refusal of the server is never replaced by what the device keeps', async () => {
  fakeServer().refuses(getSettings, 'forbidden', 'You are not allowed to do this');
  showSettings(async () => ({ data: kept, at: YESTERDAY }));
  expect(await screen.findByText(/You are not allowed/)).toBeVisible();
  expect(screen.queryByText(kept.supportEmail)).toBeNull();
});
