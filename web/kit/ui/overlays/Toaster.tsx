import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { type FocusEvent, useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { type ActiveToast, toasts as pageToasts, type ToastStore } from '#web/kit/toasts.ts';
import { keepOffControls } from './free-place.ts';

const DURATION_MS = 5_000;
const SWIPE_THRESHOLD_PX = 50;
const HOTKEY = ['F8'];

// Detached, because the viewport is a live region itself: Radix's announcer would put every text on the page twice.
const announcerContainer = document.createElement('div');

/** Shows the current toast. F8 focuses it; closing it from there returns the focus. */
export function Toaster({ toasts = pageToasts }: { toasts?: ToastStore }) {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current);
  const viewport = useRef<HTMLDivElement>(null);
  const focusedBefore = useRef<EventTarget>(null);

  const onFocus = ({ relatedTarget }: FocusEvent) => {
    const region = viewport.current?.parentElement;
    if (!region?.contains(relatedTarget)) focusedBefore.current = relatedTarget;
  };
  const returnFocus = useCallback(() => {
    const focused = viewport.current?.contains(document.activeElement);
    if (focused && focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
  }, []);
  const close = (id: number) => {
    // Before it is removed: React gives the focus back to the viewport, which stays.
    returnFocus();
    toasts.dismiss(id);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: receives the events of the toast, which is in a portal
    <div onFocus={onFocus} onKeyDown={({ key }) => key === 'Escape' && toast && close(toast.id)}>
      <Radix.Provider
        duration={DURATION_MS}
        swipeDirection="right"
        swipeThreshold={SWIPE_THRESHOLD_PX}
        announcerContainer={announcerContainer}
      >
        {/* The key restarts the timer for each toast. */}
        {toast && <ToastCard key={toast.id} toast={toast} onClose={() => close(toast.id)} onRemove={returnFocus} />}
        <Radix.Viewport asChild hotkey={HOTKEY} label="Notifications ({hotkey})">
          <div
            ref={viewport}
            aria-live="polite"
            className="pointer-events-none fixed print:hidden inset-x-0 bottom-0 z-toast flex justify-center p-4 max-wide:mb-[calc(--spacing(14)+env(safe-area-inset-bottom))] [[data-action-bar]_&]:mb-[calc(--spacing(30)+env(safe-area-inset-bottom))] sm:justify-end sm:p-6"
          />
        </Radix.Viewport>
      </Radix.Provider>
    </div>
  );
}

interface ToastCardProps {
  toast: ActiveToast;
  onClose: () => void;
  /** Called before it is removed, also where it was replaced or undone by a key. */
  onRemove: () => void;
}

function ToastCard({ toast, onClose, onRemove }: ToastCardProps) {
  // The cleanup of a layout effect still finds the focused element on the page.
  useLayoutEffect(() => onRemove, [onRemove]);
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (toast.quiet && card.current ? keepOffControls(card.current) : undefined), [toast.quiet]);
  return (
    <Radix.Root
      asChild
      {...(toast.durationMs && { duration: toast.durationMs })}
      onOpenChange={(open) => !open && onClose()}
    >
      <div
        ref={card}
        role="status"
        aria-atomic="true"
        // Radix takes pointer events from a toast below a dialog that was opened later.
        style={{ pointerEvents: toast.quiet ? 'none' : 'auto', touchAction: 'pan-y' }}
        className={clsx(
          // A rising one could not be measured.
          toast.quiet ? 'animate-fade' : 'min-w-[min(20rem,100%)] animate-rise',
          'flex w-fit max-w-[min(800px,100%)] items-start gap-3 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
          'relative overflow-hidden rounded-lg border py-2 pr-4 pl-5 shadow-over before:absolute before:inset-y-0 before:left-0 before:w-1',
          toast.tone === 'destructive'
            ? 'border-danger bg-danger-soft text-danger-text before:bg-danger'
            : 'border-line bg-raised text-ink before:bg-pine',
        )}
      >
        <div className="min-w-0 flex-1 py-2 text-sm">
          <Radix.Title className="font-semibold">{toast.title}</Radix.Title>
          {toast.description && (
            <Radix.Description className={clsx('mt-1 break-words', toast.quiet && 'max-sm:sr-only')}>
              {toast.description}
            </Radix.Description>
          )}
        </div>
        {toast.onUndo && (
          <Radix.Action
            altText="Undo"
            className="hit-area min-h-9 shrink-0 rounded-md px-3 text-sm font-semibold text-pine-text hover:bg-ink/10"
            // The second click of a double click may meet the toast that reports the outcome of the first.
            onClick={(event) => (event.detail > 1 ? event.preventDefault() : toast.onUndo?.())}
          >
            Undo
          </Radix.Action>
        )}
        {!toast.quiet && (
          <Radix.Close
            aria-label="Close notification"
            className="hit-area grid size-9 shrink-0 place-items-center rounded-md hover:bg-ink/10"
          >
            <X aria-hidden="true" className="size-4" />
          </Radix.Close>
        )}
      </div>
    </Radix.Root>
  );
}
