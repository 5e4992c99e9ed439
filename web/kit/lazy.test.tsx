import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { lazyComponent, preloadElement } from './lazy.tsx';

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

test('the fallback is shown until the code is loaded, and never after that', async () => {
  const Lazy = lazyComponent(async () => Greeting, <p>Loading</p>);
  const { unmount } = render(<Lazy name="Ada" />);
  expect(screen.getByText('Loading')).toBeVisible();
  expect(await screen.findByText('Hello Ada')).toBeVisible();
  unmount();
  render(<Lazy name="Bob" />);
  expect(screen.getByText('Hello Bob')).toBeVisible();
});

test('what was loaded before is shown at once', async () => {
  const loading = Promise.resolve(Greeting);
  const Lazy = lazyComponent(() => loading, <p>Loading</p>);
  preloadElement(<Lazy name="Ada" />);
  await loading;
  render(<Lazy name="Ada" />);
  expect(screen.getByText('Hello Ada')).toBeVisible();
});
