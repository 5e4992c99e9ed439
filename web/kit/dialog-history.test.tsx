import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode, useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { Router, useLocation } from 'wouter';
import { navigateFromDialog, removeDialogEntries } from './dialog-history.ts';
import { AlertDialog, Dialog } from './ui/Dialog.tsx';

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
      <Router aroundNav={navigateFromDialog}>
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
    expect(dialogs()).toBe(0);
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

test('entries that a reload left are removed', async () => {
  window.history.pushState({ dialogs: 1 }, '', '/profile');
  removeDialogEntries();
  await waitFor(() => expect(dialogs()).toBe(0));
  window.history.back();
  await waitFor(() => expect(path()).toBe('/start'));
});

test('a navigation does not wait for an entry that is gone', () => {
  const navigated: string[] = [];
  const navigate = (to: string | URL) => void navigated.push(String(to));
  // An entry without one before it: going back does nothing.
  History.prototype.replaceState.call(history, { dialogs: 1_000 }, '');
  navigateFromDialog(navigate, '/search');
  expect(navigated).toEqual([]);

  History.prototype.replaceState.call(history, null, '');
  navigateFromDialog(navigate, '/crm');
  expect(navigated).toEqual(['/crm']);
});
