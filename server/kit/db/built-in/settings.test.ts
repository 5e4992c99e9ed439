import { expect, test } from 'vitest';
import { sharedBuffersMib } from './settings.ts';

const GIB = 1024 ** 3;

test.each([
  { memory: 0.5, mib: 96 },
  { memory: 2, mib: 128 },
  { memory: 8, mib: 512 },
  { memory: 64, mib: 1024 },
])('of $memory GB of memory, $mib MB are shared buffers', ({ memory, mib }) => {
  expect(sharedBuffersMib(memory * GIB)).toBe(mib);
});
