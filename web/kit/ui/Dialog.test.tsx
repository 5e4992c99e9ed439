import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { createToastStore } from '#web/kit/toasts.ts';
import { AlertDialog, Dialog } from './Dialog.tsx';
import { Toaster } from './Toaster.tsx';

function Example({ kind, onGone }: { kind: 'form' | 'question'; onGone?: () => void }) {
  const [open, setOpen] = useState(false);
  const [there, setThere] = useState(true);
  const common = { open, onClose: () => setOpen(false), title: 'Rename', onTriggerRemoved: onGone };
  return (
    <>
      {there && (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      {kind === 'form' ? (
        <Dialog {...common}>
          <button type="button" onClick={() => setThere(false)}>
            Remove what opened it
          </button>
        </Dialog>
      ) : (
        <AlertDialog {...common} description="Really?" confirmLabel="Rename" onConfirm={() => setThere(false)} />
      )}
    </>
  );
}

test.each(['form', 'question'] as const)('a closed %s gives the focus back to what opened it', async (kind) => {
  render(<Example kind={kind} />);

  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await userEvent.keyboard('{Escape}');

  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus());
});

test.each([
  { kind: 'form', removes: 'Remove what opened it' },
  { kind: 'question', removes: 'Rename' },
] as const)('a closed $kind says when what opened it is gone', async ({ kind, removes }) => {
  const gone = vi.fn();
  render(<Example kind={kind} onGone={gone} />);

  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await userEvent.click(screen.getByRole('button', { name: removes }));
  expect(gone).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');

  await vi.waitFor(() => expect(gone).toHaveBeenCalledOnce());
});

test('closing an earlier toast leaves the dialog open', async () => {
  const toasts = createToastStore();
  toasts.show({ title: 'Error', tone: 'destructive' });
  render(
    <>
      <Toaster toasts={toasts} />
      <Example kind="form" />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));

  await userEvent.click(screen.getByRole('button', { name: 'Close notification' }));

  expect(screen.queryByText('Error')).toBeNull();
  expect(screen.getByRole('dialog', { name: 'Rename' })).toBeVisible();
});
