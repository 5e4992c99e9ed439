import { readFileSync, writeFileSync } from 'node:fs';

/** The most memory that a process has held at any moment of its life. */
export function peakMemoryMb(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** The most memory that a process holds while something goes on. */
export async function peakWhile(processId: number, work: () => Promise<unknown>): Promise<number> {
  // Linux forgets the peak so far when it is told 5.
  writeFileSync(`/proc/${processId}/clear_refs`, '5');
  await work();
  return peakMemoryMb(processId);
}
