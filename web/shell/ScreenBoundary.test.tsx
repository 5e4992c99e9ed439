import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ScreenBoundary } from './ScreenBoundary.tsx';

let fault: Error | undefined;

function Fragile() {
  if (fault) throw fault;
  return <p>All is well</p>;
}

beforeEach(() => {
  // React reports what a boundary catches; here that is what should happen.
  vi.mocked(console.error).mockImplementation(() => {});
});

test('a screen that breaks can be tried again', async () => {
  fault = new Error('boom');
  render(
    <ScreenBoundary>
      <Fragile />
    </ScreenBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'This screen could not be shown' })).toBeVisible();

  fault = undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));

  expect(screen.getByText('All is well')).toBeVisible();
});

test.each([
  'Failed to fetch dynamically imported module: /assets/UsersScreen-1.js',
  'error loading dynamically imported module: /assets/UsersScreen-1.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/map.css',
])('after an upgrade it offers to reload: %s', (message) => {
  fault = new TypeError(message);
  render(
    <ScreenBoundary>
      <Fragile />
    </ScreenBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'This page is out of date' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
});
