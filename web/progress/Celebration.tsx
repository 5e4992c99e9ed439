import { useEffect, useEffectEvent, useRef } from 'react';
import { dateIn } from '#contract/progress/calendar.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { browserTimeZone } from '#web/kit/format.ts';
import { toast } from '#web/kit/toasts.ts';
import { claimCelebration, clearPastCelebrations, reachedMonth } from './celebration.ts';
import type { Burst } from './confetti.ts';
import { useMonthlyContacts } from './progress.data.ts';

const RESET_CHECK_MS = 60_000;

/** Shows nothing until the month's goal is reached, and then only once in that month. */
export function Celebration({ bursts }: { bursts: () => Burst[] }) {
  const viewer = useViewer();
  const settings = useSettings();
  const { data: contacts, dataUpdatedAt } = useMonthlyContacts();
  const timeZone = settings.data?.timeZone ?? (settings.isError ? browserTimeZone() : undefined);
  const stop = useRef<() => void>(undefined);

  const celebrate = useEffectEvent(async () => {
    toast({ title: 'Monthly Target Reached!', description: 'Every contact from here on is on top. Well done!' });
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    // Without the paper it is still said; a part that cannot be fetched is no reason to complain now.
    const paper = await import('./confetti.ts').catch(() => undefined);
    stop.current = paper?.confetti(bursts());
  });

  useEffect(() => {
    if (!timeZone || !contacts) return;
    const month = reachedMonth({ contacts, at: new Date(dataUpdatedAt), now: new Date(), timeZone });
    if (month) void claimCelebration(viewer.id, month).then((first) => (first ? celebrate() : undefined));
  }, [timeZone, contacts, dataUpdatedAt, viewer.id]);

  useEffect(() => {
    if (!timeZone) return;
    const reset = () => clearPastCelebrations(dateIn(timeZone, new Date()));
    reset();
    const timer = setInterval(reset, RESET_CHECK_MS);
    return () => clearInterval(timer);
  }, [timeZone]);

  useEffect(() => () => stop.current?.(), []);
  return null;
}
