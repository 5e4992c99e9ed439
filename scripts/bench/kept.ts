import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Measured, Ratio } from './bench.ts';
import { machineFacts } from './machine.ts';
import { writeReport } from './report.ts';

/** A measured part of the report, with where and when it was measured. */
export interface Section extends Measured {
  title: string;
  command: string;
  measuredOn: string;
  machine: string;
}

export type Sections = Record<string, Section>;

const FILE = fileURLToPath(new URL('../../docs/benchmarks.json', import.meta.url));

export const readKept = (): Sections => (existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Sections) : {});

/** Puts a part into the report, in the place of its last measurement. */
export async function keep(name: string, part: Measured & Pick<Section, 'title' | 'command'>) {
  const measuredOn = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  const sections = { ...readKept(), [name]: { ...part, measuredOn, machine: await machineFacts() } };
  writeFileSync(FILE, `${JSON.stringify(sections, null, 2)}\n`);
  writeReport(sections);
}

const MARGIN = 0.25;

/** The ratios that got worse than the kept ones by more than a quarter, each in a sentence. */
export function regressions(kept: Record<string, Ratio>, measured: Record<string, Ratio>): string[] {
  return Object.entries(kept).flatMap(([name, { value: before, better }]) => {
    const now = measured[name]?.value;
    if (now === undefined) return [`${name} was not measured`];
    const worse = better === 'lower' ? now > before * (1 + MARGIN) : now < before * (1 - MARGIN);
    return worse ? [`${name} is ${now.toFixed(2)}, was ${before.toFixed(2)} (${better} is better)`] : [];
  });
}
