import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { LazyPart } from './LazyPart.tsx';

const Bell = () => <p>The bell</p>;
const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/Bell-1.js'));

const showPart = (load: () => Promise<ComponentType>) =>
  render(
    <>
      <p>The rest of the page</p>
      <LazyPart
        load={load}
        fallback={(retry) => (
          <button type="button" onClick={retry}>
            Try Again
          </button>
        )}
      />
    </>,
  );
const retry = () => screen.findByRole('button', { name: 'Try Again' });

beforeEach(() => {
  // React reports what a boundary catches.
  vi.mocked(console.error).mockImplementation(() => {});
});

test('a part that cannot be loaded leaves the rest alone, and is loaded again on demand', async () => {
  const load = vi.fn<() => Promise<ComponentType>>(missing);
  showPart(load);
  await userEvent.click(await retry());
  expect(await retry()).toBeVisible();
  expect(screen.getByText('The rest of the page')).toBeVisible();
  expect(load).toHaveBeenCalledTimes(2);

  load.mockResolvedValue(Bell);
  await userEvent.click(await retry());
  expect(await screen.findByText('The bell')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a part that breaks later is replaced in its own place only', async () => {
  function Fragile() {
    const [broken, setBroken] = useState(false);
    if (broken) throw new Error('boom');
    return (
      <button type="button" onClick={() => setBroken(true)}>
        Break
      </button>
    );
  }
  showPart(() => Promise.resolve(Fragile));
  await userEvent.click(await screen.findByRole('button', { name: 'Break' }));
  expect(screen.getByText('The rest of the page')).toBeVisible();

  await userEvent.click(await retry());
  expect(await screen.findByRole('button', { name: 'Break' })).toBeVisible();
});
