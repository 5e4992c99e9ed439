import { readFileSync } from 'node:fs';

/** The most memory that a process has held at any moment of its life. */
export function peakMemoryMb(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
