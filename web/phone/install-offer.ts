import { useEffect, useState } from 'react';
import { z } from 'zod';
import { tryStorage } from '#web/kit/storage/storage.ts';
import { matchesMedia } from '#web/kit/style/media-query.ts';

/** Of this device, whoever signs in on it. */
const KEY = 'highstreet.install';
/** It is offered on the day after as many days of use. */
const DAYS_OF_USE = 3;
const PHONE = '(pointer: coarse) and (max-width: 56rem)';
const INSTALLED = '(display-mode: standalone)';

const stored = z.object({ days: z.array(z.string()).max(DAYS_OF_USE + 1), offered: z.boolean() });

function readStored(): z.infer<typeof stored> {
  const text = tryStorage(() => localStorage.getItem(KEY)) ?? 'null';
  const parsed = stored.safeParse(tryStorage(() => JSON.parse(text)));
  return parsed.success ? parsed.data : { days: [], offered: false };
}

/** Counts today as a day of use, and says whether to offer the installation now: once on a device, and never again. */
function takeOffer(): boolean {
  if (!matchesMedia(PHONE) || matchesMedia(INSTALLED)) return false;
  const { days, offered } = readStored();
  const today = new Date().toLocaleDateString('sv');
  if (offered || days.includes(today)) return false;
  const used = [...days, today];
  const offer = used.length > DAYS_OF_USE;
  // What cannot be stored is not offered: it would come back every time.
  const store = () => {
    localStorage.setItem(KEY, JSON.stringify({ days: used, offered: offer }));
    return true;
  };
  return tryStorage(store) === true && offer;
}

/** Of this visit: the offer stays until it is answered or the page is left. */
let offeredNow = false;

export function useInstallOffer() {
  const [isOffered, setOffered] = useState(offeredNow);
  useEffect(() => {
    offeredNow ||= takeOffer();
    setOffered(offeredNow);
  }, []);
  const end = () => {
    offeredNow = false;
    setOffered(false);
  };
  return { isOffered, end };
}
