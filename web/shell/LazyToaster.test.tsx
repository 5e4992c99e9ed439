import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { sessionQuery } from '#web/auth/session.data.ts';
import { createToastStore } from '#web/kit/toasts.ts';
import { Toaster } from '#web/kit/ui/overlays/Toaster.tsx';
import { ada } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { LazyToaster } from './LazyToaster.tsx';

test('the first toast loads the toaster and is shown; after a failure the next toast loads it', async () => {
  const toasts = createToastStore();
  const load = vi.fn<() => Promise<typeof Toaster>>().mockRejectedValueOnce(new TypeError('offline'));
  load.mockResolvedValue(Toaster);
  show(<LazyToaster toasts={toasts} load={load} />);
  expect(load).not.toHaveBeenCalled();

  await act(async () => toasts.show({ title: 'Login failed' }));
  expect(screen.queryByRole('status')).toBeNull();

  await act(async () => toasts.show({ title: 'Login successful' }));
  expect(await screen.findByRole('status')).toHaveTextContent('Login successful');
  expect(load).toHaveBeenCalledTimes(2);
});

test('signing in loads the toaster before there is a toast', async () => {
  const load = vi.fn(async () => Toaster);
  const { queries } = show(<LazyToaster toasts={createToastStore()} load={load} />);

  await act(async () => queries.setQueryData(sessionQuery.queryKey, { user: ada }));

  expect(await screen.findByRole('region', { name: 'Notifications (F8)' })).toBeInTheDocument();
  expect(load).toHaveBeenCalledOnce();
});
