import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/** What a reader has to know of the machine that the figures come from. */
export function machineFacts(): string {
  const [first] = cpus();
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return [
    `${cpus().length} cores (${first?.model.trim()})`,
    memory,
    system,
    `Node ${process.versions.node}`,
    postgres(),
  ]
    .filter(Boolean)
    .join(', ');
}

function postgres(): string {
  try {
    return (
      execFileSync('psql', ['--version'], { encoding: 'utf8' })
        .match(/PostgreSQL\)? [\d.]+/)?.[0]
        .replace(')', '') ?? ''
    );
  } catch {
    return '';
  }
}
