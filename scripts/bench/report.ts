import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sections } from './kept.ts';

const FILE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

const INTRODUCTION = `# Benchmarks

Written by \`npm run bench -- --keep\`; not edited by hand. \`npm run bench\` measures everything anew and fails where a
kept ratio got worse by more than a quarter; \`npm run bench -- NAME\` measures one part. Build first: \`npm run build\`.

Times differ from machine to machine; ratios much less. Each is taken within one run against the same work through the
bare driver, and given with its spread. PostgreSQL runs as a test server does, with its durability switched off, so that
what is measured is our part and not a disk. The soak is kept by \`npm run prove -- soak --keep\`.
`;

const ORDER = [
  ...['list', 'map', 'everyday', 'polling', 'import', 'places', 'fan-out', 'start'],
  ...['soak on postgres', 'soak on embedded'],
];

export function writeReport(sections: Sections) {
  const names = new Set([...ORDER, ...Object.keys(sections)]);
  const parts = [...names].flatMap((name) => {
    const section = sections[name];
    if (!section) return [];
    const { title, command, measuredOn, machine, text } = section;
    return [`## ${title}\n\n\`${command}\` · ${measuredOn} · ${machine}\n\n${text.trim()}\n`];
  });
  writeFileSync(FILE, [INTRODUCTION, ...parts].join('\n'));
}
