import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useCloseOnBack } from '#web/kit/navigation/dialog-history.ts';
import { closeOnEscape } from './close-on-escape.ts';
import { CloseButton, overlayClass } from './Dialog.tsx';
import { useReturnFocus } from './return-focus.ts';

const sheetPanel =
  'fixed inset-x-0 bottom-(--keyboard-inset) z-dialog mx-auto max-h-[calc(100dvh-2rem-var(--keyboard-inset))] max-w-xl overflow-y-auto animate-fade rounded-t-lg ' +
  'border border-line bg-raised p-5 pb-[calc(--spacing(5)+env(safe-area-inset-bottom))] shadow-over ' +
  'sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:-translate-y-1/2 sm:rounded-lg sm:p-6';

interface SheetProps {
  onClose: () => void;
  title: string;
  description?: string;
  /** The element that takes the focus first. */
  initialFocus: () => HTMLElement | null | undefined;
  children: ReactNode;
}

/** A dialog that is at the bottom of a phone, within reach of the thumb. It is open while it is mounted. */
export function Sheet({ onClose, title, description, initialFocus, children }: SheetProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus();
  useCloseOnBack(true, onClose);
  const focusFirst = (event: Event) => {
    onOpenAutoFocus();
    event.preventDefault();
    initialFocus()?.focus();
  };
  return (
    <RadixDialog.Root open onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayClass} />
        <RadixDialog.Content
          className={sheetPanel}
          // Radix warns about a missing description unless this is set.
          {...(description ? {} : { 'aria-describedby': undefined })}
          onKeyDown={closeOnEscape(onClose)}
          onOpenAutoFocus={focusFirst}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <RadixDialog.Title className="pr-10 text-lg font-semibold">{title}</RadixDialog.Title>
          {description && (
            <RadixDialog.Description className="pr-10 text-sm text-muted [overflow-wrap:anywhere]">
              {description}
            </RadixDialog.Description>
          )}
          <div className="mt-4">{children}</div>
          <CloseButton />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
