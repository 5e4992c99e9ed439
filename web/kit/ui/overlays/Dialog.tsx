import { X } from 'lucide-react';
import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useCloseOnBack } from '#web/kit/navigation/dialog-history.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { closeOnEscape } from './close-on-escape.ts';
import { useReturnFocus } from './return-focus.ts';

export const overlayClass = 'fixed inset-0 z-dialog animate-fade bg-overlay';
const panel =
  'fixed inset-x-4 top-[calc(50%-var(--keyboard-inset)/2)] z-dialog mx-auto max-h-[calc(100dvh-2rem-var(--keyboard-inset))] max-w-lg -translate-y-1/2 overflow-y-auto ' +
  'animate-fade rounded-lg border border-line bg-raised p-5 shadow-over sm:p-6';

const palettePanel =
  'fixed inset-x-2 top-2 z-dialog mx-auto flex max-h-[calc(100dvh-1rem)] max-w-2xl animate-fade flex-col overflow-hidden ' +
  'rounded-lg border border-line bg-raised shadow-over sm:inset-x-4 sm:top-[12vh] sm:max-h-[min(36rem,76vh)]';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** Called on closing when the element that had the focus before is gone: the caller moves the focus. */
  onTriggerRemoved?: () => void;
  children: ReactNode;
}

/** Escape, Back, the close button and a click outside close it. */
export function Dialog({ open, onClose, title, description, onTriggerRemoved, children }: DialogProps) {
  const focus = useReturnFocus(onTriggerRemoved);
  useCloseOnBack(open, onClose);
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayClass} />
        {/* Radix warns about a missing description unless aria-describedby is set. */}
        <RadixDialog.Content
          className={panel}
          onKeyDown={closeOnEscape(onClose)}
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <RadixDialog.Title className="pr-10 text-lg font-semibold">{title}</RadixDialog.Title>
          {description && (
            <RadixDialog.Description className="mt-1 text-sm text-muted">{description}</RadixDialog.Description>
          )}
          <div className="mt-5">{children}</div>
          <CloseButton />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export function CloseButton() {
  return (
    <RadixDialog.Close
      aria-label="Close"
      className="absolute top-3 right-3 grid size-11 place-items-center rounded-md hover:bg-sunken sm:size-10"
    >
      <X aria-hidden="true" className="size-5" />
    </RadixDialog.Close>
  );
}

interface PaletteDialogProps {
  open: boolean;
  onClose: () => void;
  /** For screen readers. */
  title: string;
  /** Called once the focus is back where it was. */
  onClosed: () => void;
  children: ReactNode;
}

/** At the top of the window, without a heading or a close button: its content is one field and what it finds. */
export function PaletteDialog({ open, onClose, title, onClosed, children }: PaletteDialogProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus();
  useCloseOnBack(open, onClose);
  const returnFocus = (event: Event) => {
    onCloseAutoFocus(event);
    onClosed();
  };
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayClass} />
        <RadixDialog.Content
          className={palettePanel}
          aria-describedby={undefined}
          onKeyDown={closeOnEscape(onClose)}
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={returnFocus}
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}

interface AlertDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  busy?: boolean;
  tone?: 'primary' | 'danger';
  /** As in `Dialog`. */
  onTriggerRemoved?: () => void;
}

/** A confirmation: it closes by one of its buttons, Escape or Back, and not while the action is pending. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onClose, title, description, confirmLabel, onConfirm, busy, tone = 'danger', onTriggerRemoved } = props;
  const focus = useReturnFocus(onTriggerRemoved);
  const close = () => !busy && onClose();
  useCloseOnBack(open, close);
  return (
    <RadixAlert.Root open={open} onOpenChange={(next) => !next && close()}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={overlayClass} />
        {/* Only a destructive action is an alert. */}
        <RadixAlert.Content
          role={tone === 'danger' ? 'alertdialog' : 'dialog'}
          className={panel}
          onKeyDown={closeOnEscape(close)}
          {...focus}
        >
          <RadixAlert.Title className="text-lg font-semibold">{title}</RadixAlert.Title>
          <RadixAlert.Description asChild>
            <div className="mt-2 text-sm text-muted">{description}</div>
          </RadixAlert.Description>
          <DialogActions>
            <RadixAlert.Cancel asChild>
              <Button variant="secondary" disabled={busy}>
                Cancel
              </Button>
            </RadixAlert.Cancel>
            <Button variant={tone} busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </DialogActions>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
