import { useEffect, useState } from 'react';
import { unlockDrafts } from '#web/kit/drafts.ts';
import { useSettings } from './settings.data.ts';

/** Decrypts the drafts that a reload left. True once that has succeeded or failed. */
export function useUnlockedDrafts(viewerId: number) {
  const { data, isPending } = useSettings();
  const [ready, setReady] = useState(false);
  const secret = data?.draftKey;
  useEffect(() => {
    if (isPending) return;
    const unlocked = secret ? unlockDrafts(viewerId, secret) : Promise.resolve();
    void unlocked.catch(() => {}).then(() => setReady(true));
  }, [viewerId, secret, isPending]);
  return ready;
}
