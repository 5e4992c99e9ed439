import { expect, test, vi } from 'vitest';
import { announceStatusChange, onStatusChange } from './status-changed.ts';

/** A listener, and how to let the announcements so far reach it. */
function listen() {
  const listener = vi.fn();
  const stop = onStatusChange(listener);
  return { listener, stop, settled: () => Promise.resolve() };
}

test('an announcement goes out on the window under both names', () => {
  const heard: string[] = [];
  const note = ({ type }: Event) => heard.push(type);
  window.addEventListener('status-changed', note);
  window.addEventListener('statusChange', note);

  announceStatusChange();

  expect(heard).toEqual(['status-changed', 'statusChange']);
  window.removeEventListener('status-changed', note);
  window.removeEventListener('statusChange', note);
});

test('both names together are heard once', async () => {
  const { listener, stop, settled } = listen();
  announceStatusChange();
  await settled();
  expect(listener).toHaveBeenCalledTimes(1);

  announceStatusChange();
  await settled();
  expect(listener).toHaveBeenCalledTimes(2);
  stop();
});

test.each(['status-changed', 'statusChange'])('%s alone is heard too', async (name) => {
  const { listener, stop, settled } = listen();
  window.dispatchEvent(new Event(name));
  await settled();
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
});

test('whoever stopped listening hears nothing, not even what was just called out', async () => {
  const { listener, stop, settled } = listen();
  announceStatusChange();
  stop();
  announceStatusChange();
  await settled();
  expect(listener).not.toHaveBeenCalled();
});
