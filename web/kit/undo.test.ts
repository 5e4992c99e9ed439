import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { runOnUndo } from './undo.ts';

test('"Undo" runs its mutation once, however often it is pressed, and a failure is left to its toast', async () => {
  const mutationFn = vi.fn(async (_id: number) => Promise.reject(new Error('Changed meanwhile')));
  const onError = vi.fn();
  const undo = runOnUndo(new QueryClient(), { mutationFn, onError }, 7);
  expect(mutationFn).not.toHaveBeenCalled();

  undo();
  undo();
  await vi.waitFor(() => expect(onError).toHaveBeenCalled());
  expect(mutationFn.mock.calls.map(([id]) => id)).toEqual([7]);
});
