import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Defer, temporaryFolder } from '../measure/cleanup.ts';
import { waitUntil } from '../measure/wait-until.ts';
import { at } from '../setup/paths.mjs';
import { startPostgres, unprivileged } from '../testing/postgres.ts';

export async function requirePostgres(defer: Defer, settings?: string[]) {
  const postgres = await startPostgres(settings);
  if (!postgres) throw new Error('PostgreSQL is needed (Debian: apt-get install postgresql)');
  defer(postgres.stop);
  return postgres;
}

// nginx and PgBouncer use the files that docs/scaling.md recommends, with other addresses and without passwords.

/** nginx in front of these ports of the product. */
export async function startNginx(defer: Defer, port: number, productPorts: number[]) {
  const folder = temporaryFolder(defer);
  const site = readDocumented('nginx.conf', {
    '127.0.0.1:8080': `127.0.0.1:${port}`,
    ...Object.fromEntries(productPorts.map((each, nth) => [`127.0.0.1:300${nth + 1} `, `127.0.0.1:${each} `])),
  });
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `${user} pid ${folder}/pid; error_log ${folder}/error.log; events {} http {
     access_log off; ${temporaryPaths.join(' ')}\n${site}\n}\n`,
  );
  await startServer(defer, 'nginx', ['-p', folder, '-c', config, '-g', 'daemon off;'], port);
}

/** PgBouncer in front of the PostgreSQL whose socket is in this folder. */
export async function startPgBouncer(defer: Defer, port: number, socketFolder: string) {
  const folder = temporaryFolder(defer);
  chmodSync(folder, 0o755); // as root it runs under another account
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    readDocumented('pgbouncer.ini', {
      'host=127.0.0.1 port=5432': `host=${socketFolder} user=postgres`,
      'listen_port = 6432': `listen_port = ${port}\nunix_socket_dir =`,
      'auth_type = scram-sha-256': 'auth_type = any',
      'auth_file = /etc/pgbouncer/userlist.txt': '',
    }),
  );
  await startServer(defer, 'pgbouncer', ['-q', config], port, { ...unprivileged(), cwd: folder });
}

/** A text that is not in the file is an error: the documented file has changed. */
function readDocumented(name: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`docs/scaling/${name} no longer has "${from}"`);
      return text.replace(from, to);
    },
    readFileSync(at('docs/scaling', name), 'utf8'),
  );
}

async function startServer(defer: Defer, name: string, args: string[], port: number, options: SpawnOptions = {}) {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn(name, args, { env, stdio: 'ignore', ...options });
  const ended = once(child, 'exit').catch(() => {});
  defer(() => child.kill('SIGTERM') && ended);
  if (await waitUntil(() => accepts(port), 10_000)) return;
  throw new Error(`${name} did not start; it is needed (Debian: apt-get install ${name})`);
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(Boolean(socket.end())));
    socket.on('error', () => resolve(false));
  });
