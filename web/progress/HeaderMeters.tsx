import { type RefObject, useRef } from 'react';
import { Celebration } from './Celebration.tsx';
import type { Burst } from './confetti.ts';
import { MonthlyMeter } from './MonthlyMeter.tsx';
import { WeeklyMeter } from './WeeklyMeter.tsx';

const CONFETTI_MS = { weekly: 5_000, monthly: 3_000 };

/** Both meters of the signed-in person. The celebration stands here, beside them, so that two meters make one party. */
export function HeaderMeters() {
  const weekly = useRef<HTMLDivElement>(null);
  const monthly = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={weekly} className="min-w-0 flex-1">
        <WeeklyMeter compact />
      </div>
      <div ref={monthly} className="min-w-0 flex-1">
        <MonthlyMeter compact />
      </div>
      <Celebration bursts={() => [burstAt(weekly, CONFETTI_MS.weekly), burstAt(monthly, CONFETTI_MS.monthly)]} />
    </>
  );
}

function burstAt(place: RefObject<HTMLElement | null>, ms: number): Burst {
  const { left = 0, width = 0, bottom = 0 } = place.current?.getBoundingClientRect() ?? {};
  return { x: left + width / 2, y: bottom, ms };
}
