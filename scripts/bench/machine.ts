import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { findPrograms } from '#server/kit/db/built-in/programs.ts';

/** What a reader has to know of the machine that the figures come from. */
export async function machineFacts(): Promise<string> {
  const [first] = cpus();
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
  return [
    `${cpus().length} cores (${first?.model.trim()})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system,
    `Node ${process.versions.node}`,
    `PostgreSQL ${(await findPrograms()).major}`,
  ].join(', ');
}
