import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { sessionQuery } from '#web/auth/session.data.ts';
import type { ToastStore } from '#web/kit/toasts.ts';

interface Props {
  toasts: ToastStore;
  load: () => Promise<ComponentType<{ toasts: ToastStore }>>;
}

/** Loads the toaster with the first signed-in screen or the first toast; the sign-in form works without it. */
export function LazyToaster({ toasts, load }: Props) {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current);
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const [Toaster, setToaster] = useState<ComponentType<{ toasts: ToastStore }>>();
  const needed = toast?.id ?? session?.user?.id;

  useEffect(() => {
    if (Toaster || needed === undefined) return;
    // If it cannot be loaded, the next toast tries again.
    load().then(
      (loaded) => setToaster(() => loaded),
      () => {},
    );
  }, [Toaster, needed, load]);

  return Toaster && <Toaster toasts={toasts} />;
}
