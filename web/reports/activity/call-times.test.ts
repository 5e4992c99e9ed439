import { expect, test } from 'vitest';
import { formatCallTime } from '#contract/reports/call-time.ts';
import { findBestTime, formatRate, toCallTimes } from './call-times.ts';

const at = (weekday: number, hour: number, calls: number, reached: number) => ({ weekday, hour, calls, reached });

test('the best hour has enough calls and the highest lower end', () => {
  const times = toCallTimes([at(1, 9, 29, 29), at(2, 10, 200, 100), at(3, 23, 30, 16)]);
  expect(times.map(({ few }) => few)).toEqual([true, false, false]);
  const best = findBestTime(times);
  expect(best && `${formatCallTime(best)}: ${formatRate(best)}`).toBe('Tuesday, 10:00–11:00: 50% (43–57%)');
  expect(times.map(formatCallTime).at(-1)).toBe('Wednesday, 23:00–00:00');
});

test('without enough calls there is none', () => {
  expect(findBestTime(toCallTimes([at(1, 9, 29, 29)]))).toBeUndefined();
});
