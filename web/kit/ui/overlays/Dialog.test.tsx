import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { createToastStore } from '#web/kit/toasts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog, Dialog } from './Dialog.tsx';
import { Menu, MenuItem } from './Menu.tsx';
import { Toaster } from './Toaster.tsx';

function Example({ kind, onTriggerRemoved }: { kind: 'dialog' | 'alert dialog'; onTriggerRemoved?: () => void }) {
  const [open, setOpen] = useState(false);
  const [hasTrigger, setHasTrigger] = useState(true);
  const props = { open, onClose: () => setOpen(false), title: 'Rename', onTriggerRemoved };
  return (
    <>
      {hasTrigger && (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      {kind === 'dialog' ? (
        <Dialog {...props}>
          <button type="button" onClick={() => setHasTrigger(false)}>
            Remove the trigger
          </button>
        </Dialog>
      ) : (
        <AlertDialog {...props} description="Really?" confirmLabel="Rename" onConfirm={() => setHasTrigger(false)} />
      )}
    </>
  );
}

test.each(['dialog', 'alert dialog'] as const)('closing a %s returns the focus to its trigger', async (kind) => {
  render(<Example kind={kind} />);

  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(await screen.findByText('Rename', { selector: 'h2' })).toBeVisible();
  await userEvent.keyboard('{Escape}');

  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus());
});

test('a dialog that opened while nothing had the focus gives it to the heading, not to what opened an earlier one', async () => {
  render(
    <>
      <h1 tabIndex={-1}>Leads</h1>
      <Example kind="dialog" />
    </>,
  );
  const open = screen.getByRole('button', { name: 'Open' });
  await userEvent.click(open);
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(open).toHaveFocus());
  act(() => open.blur());
  act(() => open.click());
  expect(await screen.findByText('Rename', { selector: 'h2' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(screen.getByRole('heading', { name: 'Leads' })).toHaveFocus());
});

test('a dialog from a menu keeps what is typed, and closing it returns the focus to the button of the menu', async () => {
  function FromMenu() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <Menu trigger={<Button>Views</Button>}>
          <MenuItem onSelect={() => setOpen(true)}>Save</MenuItem>
        </Menu>
        <Dialog open={open} onClose={() => setOpen(false)} title="Save view">
          <input aria-label="Name" />
        </Dialog>
      </>
    );
  }
  render(<FromMenu />);
  await userEvent.click(screen.getByRole('button', { name: 'Views' }));
  const select = vi.spyOn(HTMLInputElement.prototype, 'select');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save' }));
  const name = await screen.findByRole('textbox', { name: 'Name' });
  expect(name).toHaveFocus();
  // Selected once more, what is typed next would replace what was typed.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(select).toHaveBeenCalledOnce();

  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Views' })).toHaveFocus());
});

test.each([
  { kind: 'dialog', removes: 'Remove the trigger' },
  { kind: 'alert dialog', removes: 'Rename' },
] as const)('closing a $kind calls onTriggerRemoved when its trigger is gone', async ({ kind, removes }) => {
  const onTriggerRemoved = vi.fn();
  render(<Example kind={kind} onTriggerRemoved={onTriggerRemoved} />);

  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await userEvent.click(screen.getByRole('button', { name: removes }));
  expect(onTriggerRemoved).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');

  await vi.waitFor(() => expect(onTriggerRemoved).toHaveBeenCalledOnce());
});

test.each(['dialog', 'alert dialog'] as const)('Escape closes a %s although a toast appeared later', async (kind) => {
  const toasts = createToastStore();
  render(
    <>
      <Example kind={kind} />
      <Toaster toasts={toasts} />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  act(() => void toasts.show({ title: 'Notes updated' }));
  await userEvent.keyboard('{Escape}');

  await vi.waitFor(() => expect(screen.queryByText('Rename', { selector: 'h2' })).not.toBeInTheDocument());
});

test('closing a toast leaves the dialog open', async () => {
  const toasts = createToastStore();
  toasts.show({ title: 'Error', tone: 'destructive' });
  render(
    <>
      <Toaster toasts={toasts} />
      <Example kind="dialog" />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));

  await userEvent.click(screen.getByRole('button', { name: 'Close notification' }));

  expect(screen.queryByText('Error')).toBeNull();
  expect(screen.getByRole('dialog', { name: 'Rename' })).toBeVisible();
});
