import { useEffect, useEffectEvent, useRef } from 'react';
import { addDays, type LocalDate, monthName, toLocalDate } from '#contract/progress/calendar.ts';
import type { MonthlyContacts } from '#contract/progress/progress.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { browserTimeZone } from '#web/kit/format.ts';
import { tryStorage } from '#web/kit/storage/storage.ts';
import { toast } from '#web/kit/toasts.ts';
import { useMonthlyContacts } from '#web/progress/progress.data.ts';
import type { Burst } from './confetti.ts';

type Month = Pick<LocalDate, 'year' | 'month'>;

const PREFIX = 'highstreet.celebrated.';
const RESET_CHECK_MS = 60_000;

/** Celebrates the first time in a month that the viewer reaches the monthly goal: a toast, and confetti. */
export function useCelebration(bursts: () => Burst[]) {
  const viewer = useViewer();
  const settings = useSettings();
  const { data: contacts, dataUpdatedAt } = useMonthlyContacts();
  const timeZone = settings.data?.timeZone ?? (settings.isError ? browserTimeZone() : undefined);
  const stopConfetti = useRef<() => void>(undefined);

  const celebrate = useEffectEvent(async () => {
    toast({ title: 'Monthly Target Reached!', description: 'Every contact from here on is on top. Well done!' });
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    // Where the chunk cannot be loaded, the toast is enough.
    const confetti = await import('./confetti.ts').catch(() => undefined);
    stopConfetti.current = confetti?.playConfetti(bursts());
  });

  useEffect(() => {
    if (!timeZone || !contacts) return;
    const month = findReachedMonth({ contacts, receivedAt: new Date(dataUpdatedAt), now: new Date(), timeZone });
    if (month) void claimCelebration(viewer.id, month).then((first) => (first ? celebrate() : undefined));
  }, [timeZone, contacts, dataUpdatedAt, viewer.id]);

  useEffect(() => {
    if (!timeZone) return;
    const reset = () => clearPastCelebrations(toLocalDate(timeZone, new Date()));
    reset();
    const timer = setInterval(reset, RESET_CHECK_MS);
    return () => clearInterval(timer);
  }, [timeZone]);

  useEffect(() => () => stopConfetti.current?.(), []);
}

interface Progress {
  contacts: MonthlyContacts;
  receivedAt: Date;
  now: Date;
  timeZone: string;
}

/** The current month, if its goal is reached. */
export function findReachedMonth({ contacts, receivedAt, now, timeZone }: Progress): Month | undefined {
  if (contacts.count < contacts.target) return undefined;
  const { year, month, day } = toLocalDate(timeZone, now);
  const received = toLocalDate(timeZone, receivedAt);
  if (received.year !== year || received.month !== month) return undefined;
  // This clock may be ahead of the server's: the numbers of last month must not celebrate this one.
  if (contacts.monthName === monthName(addDays({ year, month, day }, -day))) return undefined;
  return { year, month };
}

/** True for the first caller in that month, across all tabs. */
export async function claimCelebration(userId: number, month: Month): Promise<boolean> {
  const key = `${PREFIX}${userId}${keySuffix(month)}`;
  if (isCelebrated(key)) return false;
  // Two tabs may claim at the same time. Locks exist on https and localhost only; elsewhere the flag alone has to do.
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request(key, () => setCelebrated(key)) : setCelebrated(key);
}

/** Removes the flags of other months, of all users. */
export function clearPastCelebrations(month: Month) {
  tryStorage(() => {
    const past = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && !key.endsWith(keySuffix(month)));
    for (const key of past) localStorage.removeItem(key);
  });
}

const keySuffix = ({ year, month }: Month) => `.${year}-${String(month).padStart(2, '0')}`;

/** Used where storage is forbidden or full: then it is once per page load. */
const celebratedOnThisPage = new Set<string>();

function setCelebrated(key: string) {
  if (isCelebrated(key)) return false;
  tryStorage(() => localStorage.setItem(key, 'yes'));
  if (!isStored(key)) celebratedOnThisPage.add(key);
  return true;
}

const isCelebrated = (key: string) => isStored(key) || celebratedOnThisPage.has(key);

const isStored = (key: string) => Boolean(tryStorage(() => localStorage.getItem(key)));
