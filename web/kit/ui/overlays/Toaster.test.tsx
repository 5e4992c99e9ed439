import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createToastStore, type Toast } from '#web/kit/toasts.ts';
import { Toaster } from './Toaster.tsx';

const advance = (ms: number) => act(() => vi.advanceTimersByTime(ms));

function open() {
  const toasts = createToastStore();
  const view = render(
    <>
      <button type="button">Elsewhere</button>
      <Toaster toasts={toasts} />
    </>,
  );
  return {
    ...view,
    toasts,
    show: (title: string, more: Partial<Toast> = {}) => act(() => toasts.show({ title, ...more })),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});

test('a new toast replaces the old one', () => {
  const { show } = open();
  show('Tag added');
  show('Tag removed');

  expect(screen.getAllByRole('status')).toHaveLength(1);
  expect(screen.getByRole('status')).toHaveTextContent('Tag removed');
});

test('its text is on the page once', () => {
  const { show } = open();
  show('Tag added');
  advance(100);

  expect(screen.getAllByText(/Tag added/)).toHaveLength(1);
});

test('it closes after five seconds, counted from the newest', () => {
  const { show } = open();
  show('Tag added');
  advance(4_000);
  show('Tag removed');
  advance(4_999);
  expect(screen.getByText('Tag removed')).toBeVisible();
  advance(1);
  expect(screen.queryByText('Tag removed')).toBeNull();
});

test('one that says how long it is shown closes after that', () => {
  const { show } = open();
  show('Logged: No answer', { durationMs: 4_000 });
  advance(3_999);
  expect(screen.getByText('Logged: No answer')).toBeVisible();
  advance(1);
  expect(screen.queryByText('Logged: No answer')).toBeNull();
});

test('the timer pauses while the pointer is on it', () => {
  const { show } = open();
  show('Notes updated');
  advance(3_000);
  fireEvent.pointerMove(screen.getByRole('status'));
  advance(60_000);
  fireEvent.pointerLeave(screen.getByRole('region'));
  advance(1_999);
  expect(screen.getByText('Notes updated')).toBeVisible();
  advance(1);
  expect(screen.queryByText('Notes updated')).toBeNull();
});

test('the timer pauses while the window has no focus', () => {
  const { show } = open();
  show('Notes updated');
  advance(3_000);
  fireEvent.blur(window);
  advance(60_000);
  fireEvent.focus(window);
  advance(1_999);
  expect(screen.getByText('Notes updated')).toBeVisible();
  advance(1);
  expect(screen.queryByText('Notes updated')).toBeNull();
});

test.each(['viewport', 'close button'] as const)(
  'F8 focuses it; Escape on the %s closes it and returns the focus',
  (target) => {
    const { show } = open();
    show('Notes updated');
    screen.getByRole('button', { name: 'Elsewhere' }).focus();

    fireEvent.keyDown(document.body, { key: 'F8', code: 'F8' });
    expect(screen.getByRole('region', { name: 'Notifications (F8)' })).toContainElement(
      document.activeElement as HTMLElement,
    );
    if (target === 'close button') act(() => screen.getByRole('button', { name: 'Close notification' }).focus());

    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
    expect(screen.queryByText('Notes updated')).toBeNull();
    expect(screen.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
  },
);

test.each([
  { by: 49, stays: true },
  { by: 51, stays: false },
  { by: -200, stays: true },
])('a toast swiped by $by px stays: $stays', ({ by, stays }) => {
  const { show } = open();
  show('Notes updated');
  const toast = screen.getByRole('status');

  fireEvent.pointerDown(toast, { clientX: 100, button: 0 });
  fireEvent.pointerMove(toast, { clientX: 100 + by });
  fireEvent.pointerUp(toast);

  expect(screen.queryByText('Notes updated') !== null).toBe(stays);
});

test('the live region exists before the toast', () => {
  const { show } = open();
  const region = screen.getByRole('region', { name: 'Notifications (F8)' });
  const live = region.querySelector('[aria-live="polite"]');
  expect(live).toBeInTheDocument();
  show('Notes updated');
  expect(live).toContainElement(screen.getByRole('status'));
});

const undoButton = () => screen.getByRole('button', { name: 'Undo' });

test('a toast with "Undo" closes when it is pressed, or after five seconds', () => {
  const { show } = open();
  const onUndo = vi.fn();
  show('Logged: Spoke', { onUndo });
  advance(4_999);
  fireEvent.click(undoButton());
  expect(onUndo).toHaveBeenCalledOnce();
  expect(screen.queryByText('Logged: Spoke')).toBeNull();
  show('Logged: Spoke', { onUndo });
  advance(5_000);
  expect(screen.queryByText('Logged: Spoke')).toBeNull();
});

test('a toast that cannot be undone has no "Undo"', () => {
  const { show } = open();
  show('Business deleted');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('the second click of a double click does not press "Undo" on the next toast', () => {
  const { show } = open();
  const undoUndo = vi.fn();
  show('Status updated', { onUndo: () => show('Undone', { onUndo: undoUndo }) });
  fireEvent.click(undoButton(), { detail: 1 });
  fireEvent.click(undoButton(), { detail: 2 });
  expect(undoUndo).not.toHaveBeenCalled();
  expect(screen.getByText('Undone')).toBeVisible();
});

test('F8 leads to "Undo"; where the toast goes without a click on it, the focus returns', () => {
  const { show, toasts } = open();
  show('Status updated', { onUndo: () => {} });
  screen.getByRole('button', { name: 'Elsewhere' }).focus();
  fireEvent.keyDown(document.body, { key: 'F8', code: 'F8' });
  expect(screen.getByRole('region', { name: 'Notifications (F8)' })).toContainElement(undoButton());
  act(() => undoButton().focus());
  act(() => void toasts.undo());
  expect(screen.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
});

test('a quiet toast has no buttons and lets clicks through', () => {
  const { show } = open();
  show('List refreshed', { quiet: true });
  expect(screen.getByRole('status')).toHaveStyle({ pointerEvents: 'none' });
  expect(screen.queryByRole('button', { name: 'Close notification' })).toBeNull();
  advance(5_000);
  expect(screen.queryByText('List refreshed')).toBeNull();
});
