import { afterEach, expect, test, vi } from 'vitest';
import { FakeEventSource, fakeEvents, openStreams } from '#web/testing/fake-events.ts';
import { type LiveEvent, subscribeToEvents } from './event-stream.ts';

const subscriptions: (() => void)[] = [];
afterEach(() => {
  for (const unsubscribe of subscriptions.splice(0)) unsubscribe();
});

/** A tab that records events, and connection changes as booleans. */
async function openTab() {
  const received: (LiveEvent | boolean)[] = [];
  const close = subscribeToEvents({
    onEvent: (event) => received.push(event),
    onConnectionChange: (connected) => received.push(connected),
  });
  subscriptions.push(close);
  // Locks are granted asynchronously.
  await vi.waitFor(() => Promise.resolve());
  return { received, close };
}

const firstStream = async () => vi.waitFor(() => openStreams()[0] ?? Promise.reject(new Error('no stream yet')));

test('one stream serves all tabs', async () => {
  fakeEvents();
  const tabs = [await openTab(), await openTab(), await openTab()];
  const stream = await firstStream();
  stream.open();
  stream.sendEvent();
  stream.sendEvent('leads', { ids: [7], inList: true });
  stream.sendEvent('users');

  expect(FakeEventSource.all).toHaveLength(1);
  expect(stream.url).toBe('/api/events');
  const events = [{ name: 'notifications' }, { name: 'leads', ids: [7], inList: true }, { name: 'users' }];
  for (const { received } of tabs) expect(received).toEqual([true, ...events]);
});

test('a tab that opens later learns whether the stream is connected', async () => {
  fakeEvents();
  await openTab();
  (await firstStream()).open();
  const late = await openTab();
  expect(late.received).toEqual([true]);
});

test('when the leader tab is closed, the next one connects', async () => {
  fakeEvents();
  const [leader, follower] = [await openTab(), await openTab()];
  const first = await firstStream();
  first.open();
  leader.close();

  const next = await vi.waitFor(
    () => openStreams().find((stream) => stream !== first) ?? Promise.reject(new Error('no stream yet')),
  );
  expect(first.readyState).toBe(FakeEventSource.CLOSED);
  next.open();
  next.sendEvent();
  // Between the two streams there was none.
  expect(follower.received).toEqual([true, true, { name: 'missed' }, { name: 'notifications' }]);
  expect(leader.received).toEqual([true]);
});

test('a tab that is closed while it waits for the lock opens no stream', async () => {
  fakeEvents();
  const [leader, waiting] = [await openTab(), await openTab()];
  await firstStream();
  waiting.close();
  leader.close();
  const third = await openTab();
  const next = await firstStream();
  next.open();
  expect(FakeEventSource.all).toHaveLength(2);
  expect(third.received).toEqual([true]);
});

test('a broken stream is reported, and after its reconnection that events may have been missed', async () => {
  fakeEvents();
  const tabs = [await openTab(), await openTab()];
  const stream = await firstStream();
  stream.open();
  stream.break();
  stream.open();
  for (const { received } of tabs) expect(received).toEqual([true, false, true, { name: 'missed' }]);
  expect(FakeEventSource.all).toHaveLength(1);
});

test('a refused stream is opened again after 30 seconds', async () => {
  fakeEvents();
  const { received } = await openTab();
  const first = await firstStream();
  vi.useFakeTimers();
  first.refuse();
  expect(received).toEqual([false]);
  expect(openStreams()).toEqual([]);

  vi.advanceTimersByTime(30_000);
  expect(openStreams()).toHaveLength(1);
  openStreams()[0]?.open();
  expect(received).toEqual([false, true, { name: 'missed' }]);
});

test('a closed tab does not retry', async () => {
  fakeEvents();
  const { close } = await openTab();
  const first = await firstStream();
  vi.useFakeTimers();
  first.refuse();
  close();
  vi.advanceTimersByTime(60_000);
  expect(FakeEventSource.all).toHaveLength(1);
});

test('without locks, on plain http, the visible tab connects', async () => {
  fakeEvents({ locks: false });
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const { received, close } = await openTab();
  (await firstStream()).open();
  expect(received).toEqual([true]);

  visibility.mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(openStreams()).toEqual([]);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(openStreams()).toHaveLength(1);

  close();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(openStreams()).toEqual([]);
});

test('a browser without EventSource receives nothing', () => {
  vi.stubGlobal('EventSource', undefined);
  const received: unknown[] = [];
  const unsubscribe = subscribeToEvents({
    onEvent: () => received.push('event'),
    onConnectionChange: (connected) => received.push(connected),
  });
  unsubscribe();
  expect(received).toEqual([]);
});
