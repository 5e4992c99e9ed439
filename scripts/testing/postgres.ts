import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

export interface TestPostgres {
  url: string;
  /** Contains its socket and its data. */
  folder: string;
  stop(): Promise<void>;
  /** Stops the server and keeps its data for `start`. After an immediate shutdown it has to recover, as after a crash. */
  shutDown(mode: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts a PostgreSQL server on a socket in a temporary folder; undefined where PostgreSQL is not installed. Settings are
 * `name=value`, and override the fast and unsafe defaults.
 */
export async function startPostgres(settings: string[] = []): Promise<TestPostgres | undefined> {
  const programs = findPrograms();
  if (!programs) return undefined;
  const owner = unprivileged();
  // Another account has to reach the folder, and a socket's whole path has to fit into 107 bytes.
  const folder = mkdtempSync(join(owner || tmpdir().length > 60 ? '/tmp' : tmpdir(), 'highstreet-pg-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}`, HOME: folder, LC_ALL: 'C.UTF-8' };

  const initdb = [`--pgdata=${folder}/data`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  const created = spawnSync('initdb', initdb, { ...owner, env, cwd: folder, encoding: 'utf8' });
  if (created.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb failed: ${created.error?.message ?? created.stderr}`);
  }

  // The script stops the server and removes the folder when this process ends and closes the pipe, even by SIGKILL. Its
  // own process group keeps Ctrl-C from stopping the server while tests still use it.
  const script = `
    begin() { postgres "$@" >>log 2>&1 & server=$!; }
    end() { kill -$1 $server; wait $server; }
    begin "$@"
    while read -r command; do
      case $command in begin) begin "$@";; *) end $command;; esac
      echo done
    done
    end INT; cd /; rm -rf "${folder}"`;
  const defaults = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'listen_addresses='];
  const options = ['-D', `${folder}/data`, '-k', folder];
  for (const setting of [...defaults, ...settings]) options.push('-c', setting);
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  const server = spawn('sh', ['-c', script, 'sh', ...options], { ...owner, env, cwd: folder, detached: true, stdio });
  const stopped = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const stop = () => {
    server.stdin.end();
    return stopped;
  };
  const send = async (command: 'begin' | 'INT' | 'QUIT') => {
    server.stdin.write(`${command}\n`);
    await once(server.stdout, 'data');
  };
  try {
    await waitUntilReady(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    folder,
    stop,
    shutDown: (mode) => send(mode === 'fast' ? 'INT' : 'QUIT'),
    start: async () => {
      await send('begin');
      await waitUntilReady(url);
    },
  };
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const newestFirst = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    ...newestFirst.map((version) => `${debian}/${version}/bin`),
    ...(process.env.PATH ?? '').split(delimiter),
    pgConfigBinDir(),
  ];
  return candidates.find(
    (folder) => folder && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

function pgConfigBinDir() {
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return stdout?.trim();
}

/** PostgreSQL refuses to run as root: root runs it as an account that every system has. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = spawnSync('id', ['-u', 'postgres']).status === 0 ? 'postgres' : 'nobody';
  const id = (flag: string) => Number(execFileSync('id', [flag, account], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function waitUntilReady(url: string) {
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
