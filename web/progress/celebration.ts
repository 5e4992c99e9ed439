import { addDays, type LocalDate, monthName, toLocalDate } from '#contract/progress/calendar.ts';
import type { MonthlyContacts } from '#contract/progress/progress.calls.ts';

type Month = Pick<LocalDate, 'year' | 'month'>;

const PREFIX = 'highstreet.celebrated.';
/** Stands in where storage is forbidden: then it is once per page. */
const celebratedHere = new Set<string>();

const suffixOf = ({ year, month }: Month) => `.${year}-${String(month).padStart(2, '0')}`;
const keyOf = (userId: number, month: Month) => `${PREFIX}${userId}${suffixOf(month)}`;

interface Reached {
  contacts: MonthlyContacts;
  /** When the server said so. */
  at: Date;
  now: Date;
  timeZone: string;
}

/** The month whose goal these numbers reach, if they do. */
export function reachedMonth({ contacts, at, now, timeZone }: Reached): Month | undefined {
  if (contacts.count < contacts.target) return undefined;
  const { year, month, day } = toLocalDate(timeZone, now);
  const asked = toLocalDate(timeZone, at);
  if (asked.year !== year || asked.month !== month) return undefined;
  // This clock may be ahead of the server's: last month's numbers are no reason to celebrate this one.
  if (contacts.monthName === monthName(addDays({ year, month, day }, -day))) return undefined;
  return { year, month };
}

/** True for the first who asks in that month, in whichever tab. */
export async function claimCelebration(userId: number, month: Month): Promise<boolean> {
  const key = keyOf(userId, month);
  if (isMarked(key)) return false;
  // Two tabs may find out in the same moment. Locks exist on https and localhost only; elsewhere the mark has to do.
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request(key, () => mark(key)) : mark(key);
}

/** What was celebrated in other months is over, whoever it was. */
export function clearPastCelebrations(month: Month) {
  try {
    const past = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && !key.endsWith(suffixOf(month)));
    for (const key of past) localStorage.removeItem(key);
  } catch {
    // Storage is forbidden, so there is nothing in it.
  }
}

function mark(key: string) {
  if (isMarked(key)) return false;
  try {
    localStorage.setItem(key, 'yes');
  } catch {
    celebratedHere.add(key);
  }
  return true;
}

function isMarked(key: string) {
  try {
    return localStorage.getItem(key) !== null || celebratedHere.has(key);
  } catch {
    return celebratedHere.has(key);
  }
}
