import { expect, test, vi } from 'vitest';
import { saveFile } from './save-file.ts';

test('the URL of a saved file stays valid long enough for a browser that reads it late', () => {
  vi.useFakeTimers();
  const revoked = vi.fn();
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: revoked }));
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});

  saveFile('leads.csv', new Blob(['a']));

  expect(clicked).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(30_000);
  expect(revoked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30_000);
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:1');
});
