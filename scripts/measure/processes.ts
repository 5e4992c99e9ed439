import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Milliseconds of processor time that these processes, and the ended children they waited for, have used so far. */
export function cpuMs(processIds: number[]): number {
  // Fields 14 to 17 of proc(5): user and system time, of the process and of its ended children.
  const ticks = processIds.flatMap((id) => readStat(id).slice(11, 15)).map(Number);
  return (1000 * ticks.reduce((sum, each) => sum + each, 0)) / TICKS_PER_SECOND;
}

/** A process and everything it started that is still running. */
export function processTree(processId: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(all.map((id) => [id, Number(readStat(id)[1])]));
  const tree = [processId];
  for (const member of tree) for (const [id, parent] of parents) if (parent === member) tree.push(id);
  return tree;
}

/** The parent of all processes of the PostgreSQL server with this cluster folder. */
export const postmasterId = (cluster: string) =>
  Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);

export function signalTree(processId: number, signal: NodeJS.Signals) {
  for (const id of processTree(processId)) process.kill(id, signal);
}

/** Memory of a process and its children; pages that they share are counted once (PSS). */
export const treeMemoryMb = (processId: number) =>
  processTree(processId).reduce((sum, id) => sum + readMb(`/proc/${id}/smaps_rollup`, 'Pss'), 0);

/** The peak memory of a process during the work. */
export async function peakMemoryMb(processId: number, work: () => Promise<unknown>): Promise<number> {
  writeFileSync(`/proc/${processId}/clear_refs`, '5'); // resets VmHWM, see proc(5)
  await work();
  return readMb(`/proc/${processId}/status`, 'VmHWM');
}

/** The fields of /proc/PID/stat after "pid (name) ". */
function readStat(processId: number): string[] {
  const text = readIfRunning(`/proc/${processId}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const readMb = (file: string, field: string) =>
  Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readIfRunning(file))?.[1] ?? 0) / 1024);

function readIfRunning(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
