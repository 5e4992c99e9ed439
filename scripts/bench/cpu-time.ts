import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Seconds of processor time that these processes, and the ended children they waited for, have used so far. */
export function cpuSeconds(processIds: number[]): number {
  const ticks = processIds.map((id) => {
    const fields = statOf(id)?.split(' ') ?? [];
    // After "pid (name) ": user and system time are fields 14 and 15 of proc(5), those of ended children 16 and 17.
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** Does some work: what came of it, and the seconds that it took of the clock and of the processors. */
export async function timed<T>(used: () => number, work: () => Promise<T>) {
  const before = used();
  const started = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - started) / 1000, cpu: used() - before };
}

/** A process and everything it started that is still running. */
export function familyOf(processId: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const family = [processId];
  for (const member of family) for (const [id, parent] of parents) if (parent === member) family.push(id);
  return family;
}

/** The process that started all others of a PostgreSQL server. */
export async function postgresAt(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return parent;
}

const parentOf = (processId: number) => Number(statOf(processId)?.split(' ')[1] ?? 0);

function statOf(processId: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2);
  } catch {
    return undefined;
  }
}
