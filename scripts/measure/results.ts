import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { findPrograms } from '#server/kit/db/built-in/programs.ts';
import { at } from '../setup/paths.mjs';

export interface Measured {
  /** Markdown: tables, and what a reader needs to understand them. */
  text: string;
  /** Compared with the saved ones: only ratios within one run are comparable between machines. */
  ratios: Record<string, Ratio>;
}

/** One section of the report. Arguments are sizes, so that a short run is possible. */
export interface Bench {
  title: string;
  run(args: string[]): Promise<Measured>;
}

export interface Ratio {
  value: number;
  better: 'lower' | 'higher';
}

/** One section of docs/benchmarks.md. */
interface Section extends Measured {
  title: string;
  command: string;
  measuredOn: string;
  machine: string;
}

const JSON_FILE = at('docs/benchmarks.json');
const INTRODUCTION = `# Benchmarks

Written by \`npm run bench -- --save\`; not edited by hand. \`npm run bench\` measures everything and fails where a ratio
is worse than the saved one by more than a quarter; \`npm run bench -- NAME\` measures one section. Build first:
\`npm run build\`.

Times differ between machines; ratios much less. Each ratio compares, within one run, the product with the same work
through the bare driver. The database is the built-in PostgreSQL with its production settings; sections dated before
16 November 2026 were measured on PostgreSQL 15 without fsync. \`npm run prove -- soak --save\` writes the soak test.
`;

export const readSaved = (): Record<string, Section> => JSON.parse(readFileSync(JSON_FILE, 'utf8'));

/** Replaces a section of the report. */
export async function saveResult(name: string, result: Measured & Pick<Section, 'title' | 'command'>) {
  const measuredOn = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  const sections = { ...readSaved(), [name]: { ...result, measuredOn, machine: await describeMachine() } };
  writeFileSync(JSON_FILE, `${JSON.stringify(sections, null, 2)}\n`);
  writeReport(sections);
}

function writeReport(sections: Record<string, Section>) {
  const parts = Object.values(sections).map(
    ({ title, command, measuredOn, machine, text }) =>
      `## ${title}\n\n\`${command}\` · ${measuredOn} · ${machine}\n\n${text.trim()}\n`,
  );
  writeFileSync(at('docs/benchmarks.md'), [INTRODUCTION, ...parts].join('\n'));
}

const MARGIN = 0.25;

/** The ratios that are worse than the saved ones by more than a quarter, one sentence each. */
export function findRegressions(saved: Record<string, Ratio>, measured: Record<string, Ratio>): string[] {
  return Object.entries(saved).flatMap(([name, { value: before, better }]) => {
    const now = measured[name]?.value;
    if (now === undefined) return [`${name} was not measured`];
    const worse = better === 'lower' ? now > before * (1 + MARGIN) : now < before * (1 - MARGIN);
    return worse ? [`${name} is ${now.toFixed(2)}, was ${before.toFixed(2)} (${better} is better)`] : [];
  });
}

async function describeMachine(): Promise<string> {
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
  const processors = `${cpus().length} cores (${cpus()[0]?.model.trim()})`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const { major } = await findPrograms();
  return [processors, memory, system, `Node ${process.versions.node}`, `PostgreSQL ${major}`].join(', ');
}
