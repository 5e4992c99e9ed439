import { afterEach, expect, test, vi } from 'vitest';
import { FakeEventSource, fakeEvents, openStreams } from '#web/testing/fake-events.ts';
import { hearNews } from './live.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A tab that keeps what it hears. */
async function tab() {
  const heard: (string | boolean)[] = [];
  const close = hearNews({ onNews: () => heard.push('news'), onState: (state) => heard.push(state) });
  open.push(close);
  // Locks are given in a later turn.
  await vi.waitFor(() => Promise.resolve());
  return { heard, close };
}

const stream = async () => vi.waitFor(() => openStreams()[0] ?? Promise.reject(new Error('no stream yet')));

test('one stream serves all tabs', async () => {
  fakeEvents();
  const [one, two, three] = [await tab(), await tab(), await tab()];
  const only = await stream();
  only.open();
  only.sendEvent();

  expect(FakeEventSource.all).toHaveLength(1);
  expect(only.url).toBe('/api/events');
  for (const { heard } of [one, two, three]) expect(heard).toEqual([true, 'news']);
});

test('a tab that comes later is told whether news can be heard', async () => {
  fakeEvents();
  await tab();
  (await stream()).open();
  const late = await tab();
  expect(late.heard).toEqual([true]);
});

test('when the tab that listens is closed, the next one does', async () => {
  fakeEvents();
  const [one, two] = [await tab(), await tab()];
  const first = await stream();
  first.open();
  one.close();

  const next = await vi.waitFor(
    () => openStreams().find((each) => each !== first) ?? Promise.reject(new Error('none yet')),
  );
  expect(first.readyState).toBe(FakeEventSource.CLOSED);
  next.open();
  next.sendEvent();
  expect(two.heard).toEqual([true, true, 'news']);
  expect(one.heard).toEqual([true]);
});

test('a tab that waited for its turn and left opens nothing', async () => {
  fakeEvents();
  const [one, two] = [await tab(), await tab()];
  await stream();
  two.close();
  one.close();
  const three = await tab();
  const next = await stream();
  next.open();
  expect(FakeEventSource.all).toHaveLength(2);
  expect(three.heard).toEqual([true]);
});

test('a broken stream says so, and coming back is news, for something may have been missed', async () => {
  fakeEvents();
  const [one, two] = [await tab(), await tab()];
  const only = await stream();
  only.open();
  only.break();
  only.open();
  for (const { heard } of [one, two]) expect(heard).toEqual([true, false, true, 'news']);
  expect(FakeEventSource.all).toHaveLength(1);
});

test('a refused stream is opened again after a while', async () => {
  fakeEvents();
  const { heard } = await tab();
  const first = await stream();
  vi.useFakeTimers();
  first.refuse();
  expect(heard).toEqual([false]);
  expect(openStreams()).toEqual([]);

  vi.advanceTimersByTime(30_000);
  expect(openStreams()).toHaveLength(1);
  openStreams()[0]?.open();
  expect(heard).toEqual([false, true, 'news']);
});

test('a tab that is closed does not try again', async () => {
  fakeEvents();
  const { close } = await tab();
  const first = await stream();
  vi.useFakeTimers();
  first.refuse();
  close();
  vi.advanceTimersByTime(60_000);
  expect(FakeEventSource.all).toHaveLength(1);
});

test('on plain http the tab that is looked at listens', async () => {
  fakeEvents({ locks: false });
  const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const { heard, close } = await tab();
  (await stream()).open();
  expect(heard).toEqual([true]);

  visible.mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(openStreams()).toEqual([]);
  visible.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(openStreams()).toHaveLength(1);

  close();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(openStreams()).toEqual([]);
});

test('a browser without EventSource is left to polling', () => {
  vi.stubGlobal('EventSource', undefined);
  const heard: unknown[] = [];
  hearNews({ onNews: () => heard.push('news'), onState: (state) => heard.push(state) })();
  expect(heard).toEqual([]);
});
