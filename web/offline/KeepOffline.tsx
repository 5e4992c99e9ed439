import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { canKeep } from '#web/kit/device/device.ts';
import { StorageFullError } from '#web/kit/device/device-store.ts';
import { toast } from '#web/kit/toasts.ts';
import { followDeviceKey } from './device-key.ts';
// Loaded while there is a network.
import './find-kept.ts';
import { followPocket } from './follow-pocket.ts';
import { keepReads } from './kept-reads.ts';

/** Keeps on this device what its user needs without a network. */
export function KeepOffline() {
  const { id } = useViewer();
  const queries = useQueryClient();
  useEffect(() => {
    if (!canKeep()) return;
    let told = false;
    const onError = (error: unknown) => {
      if (told || !(error instanceof StorageFullError)) return;
      told = true;
      toast({ title: 'This device is full', description: 'Your leads cannot be kept for work without a network.' });
    };
    // After a start without a network it is unlocked already.
    let stopKeeping = keepReads(queries, id, onError);
    const stops = [
      followDeviceKey(id, {
        onError,
        onUnlocked: () => {
          stopKeeping();
          stopKeeping = keepReads(queries, id, onError);
        },
      }),
      followPocket(queries, id, onError),
    ];
    return () => {
      stopKeeping();
      for (const stop of stops) stop();
    };
  }, [id, queries]);
  return null;
}
