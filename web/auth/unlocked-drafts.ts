import { useEffect, useState } from 'react';
import { areDraftsUnlocked, unlockDrafts } from '#web/kit/storage/drafts.ts';
import { useSettings } from './settings.data.ts';

/** Decrypts the drafts that a reload left. True once that has succeeded or failed. */
export function useUnlockedDrafts(viewerId: number) {
  const { data, isPending } = useSettings();
  const [ready, setReady] = useState(false);
  const secret = data?.draftKey;
  // Without a second rendering for each screen after the first.
  const unlocked = secret !== undefined && areDraftsUnlocked(viewerId, secret);
  useEffect(() => {
    if (isPending || unlocked) return;
    const done = secret ? unlockDrafts(viewerId, secret) : Promise.resolve();
    void done.catch(() => {}).then(() => setReady(true));
  }, [viewerId, secret, isPending, unlocked]);
  return ready || unlocked;
}
