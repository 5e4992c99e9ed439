import { setTimeout as pause } from 'node:timers/promises';

/** Does a part of some work, and rests after it. */
export type Pace = <T>(part: () => Promise<T>) => Promise<T>;

export const FULL_SPEED: Pace = (part) => part();

/** Works at most half of the time, less on a busy machine: for what is done beside users. */
export const GENTLE: Pace = async (part) => {
  const begun = performance.now();
  const result = await part();
  await pause(performance.now() - begun);
  return result;
};
