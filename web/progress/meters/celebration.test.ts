import { beforeEach, describe, expect, test, vi } from 'vitest';
import { claimCelebration, clearPastCelebrations, findReachedMonth } from './celebration.ts';

const november = { year: 2026, month: 11 };
const KEY = 'highstreet.celebrated.7.2026-11';

describe('findReachedMonth', () => {
  const contacts = { count: 100, target: 100, monthName: 'November', monthProgress: 50 };
  const find = (
    now: string,
    changes: { receivedAt?: string; timeZone?: string; count?: number; monthName?: string } = {},
  ) => {
    const { receivedAt = now, timeZone = 'Europe/London', ...numbers } = changes;
    return findReachedMonth({
      contacts: { ...contacts, ...numbers },
      receivedAt: new Date(receivedAt),
      now: new Date(now),
      timeZone,
    });
  };

  test.each([
    [99, undefined],
    [100, november],
    [101, november],
  ])('%i of 100', (count, month) => {
    expect(find('2026-11-15T12:00:00Z', { count })).toEqual(month);
  });

  test.each([
    ['Europe/London', '2026-10-31T23:59:59Z', { year: 2026, month: 10 }],
    ['Europe/London', '2026-11-01T00:00:00Z', november],
    ['Asia/Tokyo', '2026-10-31T15:00:00Z', november],
    ['America/New_York', '2026-11-01T03:59:59Z', { year: 2026, month: 10 }],
    ['America/New_York', '2027-01-01T04:00:00Z', { year: 2026, month: 12 }],
  ])('is the current month in the time zone %s at %s', (timeZone, now, month) => {
    expect(find(now, { timeZone, monthName: 'any' })).toEqual(month);
  });

  test('is not the new month while the data was received in the old one', () => {
    expect(find('2026-12-01T00:00:01Z', { receivedAt: '2026-11-30T23:59:58Z' })).toBeUndefined();
  });

  test("is not the new month when this clock is ahead of the server's", () => {
    expect(find('2026-12-01T00:00:01Z', { monthName: 'November' })).toBeUndefined();
    expect(find('2027-01-01T00:00:01Z', { monthName: 'December' })).toBeUndefined();
    expect(find('2026-12-01T00:00:01Z', { monthName: 'December' })).toEqual({ year: 2026, month: 12 });
  });
});

describe('the flag', () => {
  test('is one per user, year and month', async () => {
    expect(await claimCelebration(7, november)).toBe(true);
    expect(Object.keys(localStorage)).toEqual([KEY]);
    expect(await claimCelebration(7, november)).toBe(false);
    expect(await claimCelebration(8, november)).toBe(true);
    expect(await claimCelebration(7, { year: 2026, month: 12 })).toBe(true);
    expect(await claimCelebration(7, { year: 2027, month: 11 })).toBe(true);
  });

  test('is claimed once by two concurrent callers', async () => {
    const claims = await Promise.all([claimCelebration(7, november), claimCelebration(7, november)]);
    expect(claims).toEqual([true, false]);
  });

  test('is set under a lock where locks exist, so that two tabs cannot both claim it', async () => {
    // Another tab holds the lock, and sets the flag before releasing it.
    const request = vi.fn(async (_name: string, claim: () => boolean) => {
      localStorage.setItem(KEY, 'yes');
      return claim();
    });
    vi.stubGlobal('navigator', { locks: { request } });

    expect(await claimCelebration(7, november)).toBe(false);
    expect(request).toHaveBeenCalledWith(KEY, expect.any(Function));
  });

  test('of past months is cleared; of this month, and other keys, stay', () => {
    const keep = ['highstreet.celebrated.8.2026-12', 'highstreet.theme'];
    for (const key of [KEY, 'highstreet.celebrated.8.2025-12', ...keep]) localStorage.setItem(key, 'yes');

    clearPastCelebrations({ year: 2026, month: 12 });

    expect(Object.keys(localStorage).sort()).toEqual(keep);
  });

  describe('where storage is forbidden', () => {
    beforeEach(() => {
      const forbidden = () => {
        throw new DOMException('The operation is insecure', 'SecurityError');
      };
      vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden, clear: () => {} });
    });

    test('lasts until the page is reloaded', async () => {
      expect(await claimCelebration(9, november)).toBe(true);
      expect(await claimCelebration(9, november)).toBe(false);
      expect(() => clearPastCelebrations(november)).not.toThrow();
    });
  });
});
