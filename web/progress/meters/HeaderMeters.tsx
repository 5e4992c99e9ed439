import { type RefObject, useRef } from 'react';
import { useCelebration } from './celebration.ts';
import type { Burst } from './confetti.ts';
import { MonthlyMeter } from './MonthlyMeter.tsx';
import { WeeklyMeter } from './WeeklyMeter.tsx';

const CONFETTI_MS = { weekly: 5_000, monthly: 3_000 };

/** Both meters of the viewer. They share one celebration. */
export function HeaderMeters() {
  const weekly = useRef<HTMLDivElement>(null);
  const monthly = useRef<HTMLDivElement>(null);
  useCelebration(() => [burstBelow(weekly, CONFETTI_MS.weekly), burstBelow(monthly, CONFETTI_MS.monthly)]);

  return (
    <>
      <div ref={weekly} className="min-w-0 flex-1">
        <WeeklyMeter compact />
      </div>
      <div ref={monthly} className="min-w-0 flex-1">
        <MonthlyMeter compact />
      </div>
    </>
  );
}

function burstBelow(element: RefObject<HTMLElement | null>, durationMs: number): Burst {
  const { left = 0, width = 0, bottom = 0 } = element.current?.getBoundingClientRect() ?? {};
  return { x: left + width / 2, y: bottom, durationMs };
}
