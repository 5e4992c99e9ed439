import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import { tryStorage } from '#web/kit/storage/storage.ts';
import { toast } from '#web/kit/toasts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { mayReload } from './may-reload.ts';
import { startWorker, useIsUpdated } from './worker.ts';

/** In the tab's storage, from a reload by itself until it is reported. */
const TAKEN = 'highstreet.updated';

/** After an update of the product, the next screen is opened by a reload, where that loses nothing; or the user reloads sooner. */
export function Updates({ reload = () => window.location.reload() }: { reload?: () => void }) {
  const queries = useQueryClient();
  const isUpdated = useIsUpdated();
  const [path] = useLocation();
  useEffect(() => {
    if (import.meta.env.PROD) startWorker();
    reportUpdate();
  }, []);

  const take = useEffectEvent(() => {
    if (!isUpdated || !mayReload(queries)) return;
    tryStorage(() => sessionStorage.setItem(TAKEN, '1'));
    reload();
  });
  const opened = useRef(path);
  useEffect(() => {
    if (opened.current === path) return;
    opened.current = path;
    // After the effects of the screen that was left, which report what it has kept.
    const timer = setTimeout(take);
    return () => clearTimeout(timer);
  }, [path]);

  return (
    <div aria-live="polite" className="sticky top-0 z-sticky print:hidden">
      {isUpdated && (
        <p className="flex flex-wrap items-center justify-center gap-x-3 bg-pine-soft px-4 py-1 text-sm text-pine-text">
          Highstreet was updated. The next screen that you open is the new one.
          <Button variant="ghost" size="sm" onClick={reload}>
            Reload now
          </Button>
        </p>
      )}
    </div>
  );
}

function reportUpdate() {
  if (!tryStorage(() => sessionStorage.getItem(TAKEN))) return;
  tryStorage(() => sessionStorage.removeItem(TAKEN));
  toast({ title: 'Highstreet was updated', quiet: true });
}
