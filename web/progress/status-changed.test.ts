import { expect, test, vi } from 'vitest';
import { dispatchStatusChanged, onStatusChanged } from './progress.data.ts';

/** A listener, and a function that waits until the events so far have reached it. */
function listen() {
  const listener = vi.fn();
  const unsubscribe = onStatusChanged(listener);
  return { listener, unsubscribe, settled: () => Promise.resolve() };
}

test('a status change is dispatched on the window under both names', () => {
  const types: string[] = [];
  const record = ({ type }: Event) => types.push(type);
  window.addEventListener('status-changed', record);
  window.addEventListener('statusChange', record);

  dispatchStatusChanged();

  expect(types).toEqual(['status-changed', 'statusChange']);
  window.removeEventListener('status-changed', record);
  window.removeEventListener('statusChange', record);
});

test('one dispatch calls the listener once', async () => {
  const { listener, unsubscribe, settled } = listen();
  dispatchStatusChanged();
  await settled();
  expect(listener).toHaveBeenCalledTimes(1);

  dispatchStatusChanged();
  await settled();
  expect(listener).toHaveBeenCalledTimes(2);
  unsubscribe();
});

test.each(['status-changed', 'statusChange'])('%s alone calls the listener', async (name) => {
  const { listener, unsubscribe, settled } = listen();
  window.dispatchEvent(new Event(name));
  await settled();
  expect(listener).toHaveBeenCalledTimes(1);
  unsubscribe();
});

test('an unsubscribed listener is not called, not even for an event already dispatched', async () => {
  const { listener, unsubscribe, settled } = listen();
  dispatchStatusChanged();
  unsubscribe();
  dispatchStatusChanged();
  await settled();
  expect(listener).not.toHaveBeenCalled();
});
