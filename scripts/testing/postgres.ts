import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

export interface TestPostgres {
  url: string;
  /** Where its socket and its data are. */
  folder: string;
  stop(): Promise<void>;
  /** Stops the server and keeps its data, for `start`. A crash is what it would be without time to write anything. */
  halt(how: 'properly' | 'by a crash'): Promise<void>;
  start(): Promise<void>;
}

interface Wanted {
  /** Made by the caller, when it has to be on a certain disk. */
  folder?: string;
  /** What differs from a quick server without regard for power cuts, as `name=value`. */
  settings?: string[];
}

/** A PostgreSQL server for this run alone, reached through a socket in a temporary folder; nothing where none is installed. */
export async function startPostgres({ folder: given, settings = [] }: Wanted = {}): Promise<TestPostgres | undefined> {
  const programs = findPrograms();
  if (!programs) return undefined;
  const owner = unprivileged();
  // Another account has to reach the folder, and a socket's whole path has to fit into 107 bytes.
  const folder = given ?? mkdtempSync(join(owner || tmpdir().length > 60 ? '/tmp' : tmpdir(), 'highstreet-pg-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}`, HOME: folder, LC_ALL: 'C.UTF-8' };

  const initdb = [
    '-D',
    `${folder}/data`,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--no-instructions',
  ];
  const made = spawnSync('initdb', initdb, { ...owner, env, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  }

  // The server lives as long as our end of this pipe: also when we are killed, it stops and the folder goes. A group
  // of its own keeps Ctrl-C from reaching it while tests are still talking to it.
  const life = `
    begin() { postgres "$@" >>log 2>&1 & server=$!; }
    end() { kill -$1 $server; wait $server; }
    begin "$@"
    while read -r order; do
      case $order in begin) begin "$@";; *) end $order;; esac
      echo done
    done
    end INT; cd /; rm -rf "${folder}"`;
  const quick = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'listen_addresses='];
  const options = ['-D', `${folder}/data`, '-k', folder, ...[...quick, ...settings].flatMap((each) => ['-c', each])];
  const server = spawn('sh', ['-c', life, 'sh', ...options], {
    ...owner,
    env,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const stopped = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const stop = () => {
    server.stdin.end();
    return stopped;
  };
  const order = async (word: 'begin' | 'INT' | 'QUIT') => {
    server.stdin.write(`${word}\n`);
    await once(server.stdout, 'data');
  };
  try {
    await answering(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    folder,
    stop,
    halt: (how) => order(how === 'properly' ? 'INT' : 'QUIT'),
    start: async () => {
      await order('begin');
      await answering(url);
    },
  };
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const newestFirst = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    ...newestFirst.map((version) => `${debian}/${version}/bin`),
    ...(process.env.PATH ?? '').split(delimiter),
    pgConfigSays(),
  ];
  return candidates.find(
    (folder) => folder && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

function pgConfigSays() {
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return stdout?.trim();
}

/** PostgreSQL refuses to run as root, so then it runs as an account that exists everywhere. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = spawnSync('id', ['-u', 'postgres']).status === 0 ? 'postgres' : 'nobody';
  const id = (flag: string) => Number(execFileSync('id', [flag, account], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function answering(url: string) {
  for (const deadline = Date.now() + 30_000; ; await wait(100)) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
