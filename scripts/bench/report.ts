import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sections } from './kept.ts';

const FILE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

const INTRODUCTION = `# Benchmarks

Written by \`npm run bench -- --keep\`; not edited by hand. \`npm run bench\` measures everything again and fails where a
kept ratio got worse by more than a quarter; \`npm run bench -- NAME\` measures one part. Build first: \`npm run build\`.

Times differ from machine to machine; ratios much less. Each is taken within one run against the same work through the
bare driver, and given with its spread. The database is the built-in PostgreSQL, as durable as it is shipped;
sections dated before 16 November 2026 were measured on PostgreSQL 15 without syncing. The soak is kept by \`npm run prove -- soak --keep\`.
`;

const ORDER = [...['list', 'map', 'everyday', 'polling', 'import', 'places', 'fan-out', 'start', 'built-in'], 'soak'];

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
