import { z } from 'zod';
import { WEEKDAYS } from '../progress/calendar.ts';

/** An hour of a weekday on the team's clock. */
export interface CallTime {
  /** Monday is 1. */
  weekday: number;
  hour: number;
}

/** As a parameter: "1-09" is Monday, 09:00–10:00. */
export const callTimeKey = z.string().regex(/^[1-7]-([01]\d|2[0-3])$/, 'must be a weekday and an hour');

export const formatCallTimeKey = ({ weekday, hour }: CallTime) => `${weekday}-${String(hour).padStart(2, '0')}`;

export function parseCallTimeKey(key: string): CallTime {
  const [weekday = 1, hour = 0] = key.split('-').map(Number);
  return { weekday, hour };
}

const toClock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

/** "10:00–11:00" */
export const formatHour = (hour: number) => `${toClock(hour)}–${toClock((hour + 1) % 24)}`;

/** "Monday, 10:00–11:00" */
export const formatCallTime = ({ weekday, hour }: CallTime) => `${WEEKDAYS[weekday - 1]}, ${formatHour(hour)}`;
