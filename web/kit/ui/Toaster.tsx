import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type ActiveToast, toasts as pageToasts, type ToastStore } from '#web/kit/toasts.ts';

const HIDE_AFTER_MS = 5_000;
const SWIPE_PX = 50;
const HOTKEY = 'F8';

/** Where toasts appear. The region is always there, so that what is put into it is read out; F8 leads to it. */
export function Toaster({ toasts = pageToasts }: { toasts?: ToastStore }) {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const goThere = (event: KeyboardEvent) => {
      if (event.key !== HOTKEY || !region.current) return;
      if (document.activeElement instanceof HTMLElement) cameFrom.current = document.activeElement;
      region.current.focus();
    };
    document.addEventListener('keydown', goThere);
    return () => document.removeEventListener('keydown', goThere);
  }, []);

  const dismiss = (id: number) => {
    if (region.current?.contains(document.activeElement)) cameFrom.current?.focus();
    toasts.dismiss(id);
  };

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={`Notifications (${HOTKEY})`}
      aria-live="polite"
      onKeyDown={(event) => event.key === 'Escape' && shown && dismiss(shown.id)}
      className="pointer-events-none fixed inset-x-0 bottom-0 z-60 flex justify-center p-4 sm:justify-end sm:p-6"
    >
      {shown && <ToastCard key={shown.id} toast={shown} onDismiss={() => dismiss(shown.id)} />}
    </section>
  );
}

function ToastCard({ toast, onDismiss }: { toast: ActiveToast; onDismiss: () => void }) {
  const held = useHideAfter(HIDE_AFTER_MS, onDismiss);
  const swipe = useSwipeRight(SWIPE_PX, onDismiss);
  const destructive = toast.tone === 'destructive';

  return (
    <div
      role="status"
      aria-atomic="true"
      {...held}
      {...swipe}
      className={clsx(
        'pointer-events-auto flex w-fit max-w-[min(800px,100%)] min-w-[min(20rem,100%)] touch-pan-y animate-rise items-start gap-3',
        'relative overflow-hidden rounded-lg border py-2.5 pr-2 pl-5 shadow-over before:absolute before:inset-y-0 before:left-0 before:w-1',
        destructive
          ? 'border-danger bg-danger-soft text-danger-text before:bg-danger'
          : 'border-line bg-raised text-ink before:bg-pine',
      )}
    >
      <div className="min-w-0 flex-1 py-1 text-sm">
        <p className="font-semibold">{toast.title}</p>
        {toast.description && <p className="mt-0.5 break-words">{toast.description}</p>}
      </div>
      <button
        type="button"
        aria-label="Close notification"
        onClick={onDismiss}
        className="grid size-9 shrink-0 place-items-center rounded-md hover:bg-ink/10"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}

/** Hides after a while of not being looked at: pointing at it, focus in it or leaving the window stops the clock. */
function useHideAfter(ms: number, hide: () => void) {
  const [paused, setPaused] = useState(false);
  const left = useRef(ms);
  const latest = useRef(hide);
  latest.current = hide;

  useEffect(() => {
    if (paused) return;
    const started = Date.now();
    const timer = setTimeout(() => latest.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - started;
    };
  }, [paused]);

  useEffect(() => {
    const pause = () => setPaused(true);
    const resume = () => setPaused(false);
    window.addEventListener('blur', pause);
    window.addEventListener('focus', resume);
    return () => {
      window.removeEventListener('blur', pause);
      window.removeEventListener('focus', resume);
    };
  }, []);

  return {
    onMouseEnter: () => setPaused(true),
    onMouseLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  };
}

function useSwipeRight(threshold: number, swiped: () => void) {
  const [from, setFrom] = useState<number>();
  const [moved, setMoved] = useState(0);

  const end = () => {
    if (from !== undefined && moved >= threshold) swiped();
    setFrom(undefined);
    setMoved(0);
  };
  return {
    style: moved ? { transform: `translateX(${moved}px)`, opacity: Math.max(0.3, 1 - moved / 300) } : undefined,
    onPointerDown: (event: PointerEvent) => event.button === 0 && setFrom(event.clientX),
    onPointerMove: (event: PointerEvent) => from !== undefined && setMoved(Math.max(0, event.clientX - from)),
    onPointerUp: end,
    onPointerLeave: end,
    onPointerCancel: end,
  };
}
