import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Router, useLocation } from 'wouter';
import { AlertDialog, Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { navigateFromScreen } from './dialog-history.ts';

function Screen({ busy = false }: { busy?: boolean }) {
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <button type="button" onClick={() => setOpen('edit')}>
        Edit
      </button>
      <Dialog open={open === 'edit'} onClose={close} title="Edit">
        <button type="button" onClick={() => setOpen('delete')}>
          Delete
        </button>
        <button type="button" onClick={() => navigate('/crm')}>
          Leave
        </button>
      </Dialog>
      <AlertDialog
        open={open === 'delete'}
        onClose={close}
        title="Really?"
        description=""
        confirmLabel="Yes"
        onConfirm={close}
        busy={busy}
      />
    </>
  );
}

function Routes(props: { busy?: boolean }) {
  const [path] = useLocation();
  return path === '/profile' ? <Screen {...props} /> : <output>{path}</output>;
}

const show = (props = {}) =>
  render(
    <StrictMode>
      <Router aroundNav={navigateFromScreen}>
        <Routes {...props} />
      </Router>
    </StrictMode>,
  );
const press = (name: string) => userEvent.click(screen.getByRole('button', { name, hidden: true }));
const dialogs = () => window.history.state?.dialogs ?? 0;
const path = () => window.location.pathname;
const closed = () =>
  waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

beforeEach(() => {
  window.history.pushState(null, '', '/start');
  window.history.pushState(null, '', '/profile');
});

test('Back closes the open dialog, and then leaves the screen', async () => {
  show();
  await press('Edit');
  await waitFor(() => expect(dialogs()).toBe(1));
  window.history.back();
  await closed();
  expect(path()).toBe('/profile');
  window.history.back();
  await waitFor(() => expect(path()).toBe('/start'));
});

test('a dialog that closes in another way leaves no step behind', async () => {
  show();
  await press('Edit');
  await userEvent.keyboard('{Escape}');
  await closed();
  window.history.back();
  await waitFor(() => expect(path()).toBe('/start'));
});

test('a dialog that replaces another one takes over its step', async () => {
  show();
  await press('Edit');
  await press('Delete');
  expect(await screen.findByRole('alertdialog')).toBeVisible();
  await waitFor(() => expect(dialogs()).toBe(1));
  window.history.back();
  await closed();
  expect(path()).toBe('/profile');
});

test('Back does not close a dialog whose action is pending, however often it is pressed', async () => {
  show({ busy: true });
  await press('Edit');
  await press('Delete');
  for (const _ of [1, 2]) {
    const popped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
    window.history.back();
    await popped;
    await waitFor(() => expect(dialogs()).toBe(1));
  }
  expect(screen.getByRole('alertdialog')).toBeVisible();
  expect(path()).toBe('/profile');
});

test('after a navigation from a dialog, Back returns to the screen and not to the dialog', async () => {
  show();
  await press('Edit');
  await press('Leave');
  expect(await screen.findByText('/crm')).toBeVisible();
  window.history.back();
  await waitFor(() => expect(path()).toBe('/profile'));
  await closed();
  window.history.back();
  await waitFor(() => expect(path()).toBe('/start'));
});

test('Back passes over the step that a reload left', async () => {
  window.history.pushState({ dialogs: 1 }, '', '/profile');
  show();
  window.history.back();
  await waitFor(() => expect(path()).toBe('/start'));
});

test('a dialog that closes starts no traversal, which would abort a navigation of the browser', async () => {
  const go = vi.spyOn(window.history, 'go');
  const back = vi.spyOn(window.history, 'back');
  show();
  await press('Edit');
  await userEvent.keyboard('{Escape}');
  await closed();
  await press('Edit');
  await press('Leave');
  expect(await screen.findByText('/crm')).toBeVisible();
  expect(go).not.toHaveBeenCalled();
  expect(back).not.toHaveBeenCalled();
});

test('a second dialog uses the step of the first', async () => {
  show();
  const { length } = window.history;
  for (const _ of [1, 2]) {
    await press('Edit');
    await userEvent.keyboard('{Escape}');
    await closed();
  }
  expect(window.history.length).toBe(length + 1);
  window.history.back();
  await waitFor(() => expect(path()).toBe('/start'));
});
