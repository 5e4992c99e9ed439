import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createToastStore } from '#web/kit/toasts.ts';
import { Toaster } from './Toaster.tsx';

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

function open() {
  const toasts = createToastStore();
  const view = render(
    <>
      <button type="button">Elsewhere</button>
      <Toaster toasts={toasts} />
    </>,
  );
  return { ...view, say: (title: string) => act(() => toasts.show({ title })) };
}

beforeEach(() => {
  vi.useFakeTimers();
});

test('one toast at a time: a new one takes the place of the old', () => {
  const { say } = open();
  say('Tag added');
  say('Tag removed');

  expect(screen.getAllByRole('status')).toHaveLength(1);
  expect(screen.getByRole('status')).toHaveTextContent('Tag removed');
});

test('it hides after five seconds, counted from the newest', () => {
  const { say } = open();
  say('Tag added');
  pass(4_000);
  say('Tag removed');
  pass(4_999);
  expect(screen.getByText('Tag removed')).toBeVisible();
  pass(1);
  expect(screen.queryByText('Tag removed')).toBeNull();
});

test('it waits while somebody points at it', () => {
  const { say } = open();
  say('Notes updated');
  pass(3_000);
  fireEvent.mouseEnter(screen.getByRole('status'));
  pass(60_000);
  fireEvent.mouseLeave(screen.getByRole('status'));
  pass(1_999);
  expect(screen.getByText('Notes updated')).toBeVisible();
  pass(1);
  expect(screen.queryByText('Notes updated')).toBeNull();
});

test('F8 leads to it, Escape closes it and leads back', () => {
  const { say } = open();
  say('Notes updated');
  screen.getByRole('button', { name: 'Elsewhere' }).focus();

  fireEvent.keyDown(document.body, { key: 'F8' });
  expect(screen.getByRole('region', { name: 'Notifications (F8)' })).toHaveFocus();

  fireEvent.keyDown(screen.getByRole('region'), { key: 'Escape' });
  expect(screen.queryByText('Notes updated')).toBeNull();
  expect(screen.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
});

test.each([
  { by: 49, stays: true },
  { by: 50, stays: false },
  { by: -200, stays: true },
])('swiped right by $by px', ({ by, stays }) => {
  const { say } = open();
  say('Notes updated');
  const toast = screen.getByRole('status');

  fireEvent.pointerDown(toast, { clientX: 100, button: 0 });
  fireEvent.pointerMove(toast, { clientX: 100 + by });
  fireEvent.pointerUp(toast);

  expect(screen.queryByText('Notes updated') !== null).toBe(stays);
});

test('it is said in a region that was there before', () => {
  const { say } = open();
  const region = screen.getByRole('region', { name: 'Notifications (F8)' });
  expect(region).toHaveAttribute('aria-live', 'polite');
  say('Notes updated');
  expect(region).toContainElement(screen.getByRole('status'));
});
