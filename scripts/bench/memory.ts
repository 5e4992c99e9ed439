import { readFileSync, writeFileSync } from 'node:fs';
import { familyOf } from './cpu-time.ts';

/** The most memory that a process has held at any moment of its life. */
export const peakMemoryMb = (processId: number) => Math.round(statusMb(processId, 'VmHWM'));

/** What a process holds now. */
export const memoryMb = (processId: number) => Math.round(statusMb(processId, 'VmRSS'));

/** What a process and its children hold now: pages that they share are counted once (PSS). */
export function familyMemoryMb(processId: number): number {
  const kilobytes = familyOf(processId).map((id) => {
    const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  });
  return Math.round(kilobytes.reduce((sum, each) => sum + each, 0) / 1024);
}

function statusMb(processId: number, field: 'VmHWM' | 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${processId}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has just ended
  }
}

/** The most memory that a process holds while something goes on. */
export async function peakWhile(processId: number, work: () => Promise<unknown>): Promise<number> {
  // Linux forgets the peak so far when it is told 5.
  writeFileSync(`/proc/${processId}/clear_refs`, '5');
  await work();
  return peakMemoryMb(processId);
}
