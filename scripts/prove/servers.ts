import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Defer, temporaryFolder } from '../measure/cleanup.ts';
import { waitUntil } from '../measure/wait-until.ts';
import { at } from '../setup/paths.mjs';
import { unprivileged } from '../testing/postgres.ts';

// nginx and PgBouncer with the files that docs/scaling.md recommends: only addresses and sign-in are replaced.

/** nginx in front of these ports of the product. */
export async function startNginx(defer: Defer, port: number, productPorts: number[]) {
  const folder = temporaryFolder(defer);
  const site = replaceAll(readFileSync(at('docs/scaling/nginx.conf'), 'utf8'), [
    ['listen 127.0.0.1:8080', `listen 127.0.0.1:${port}`],
    ...productPorts.map((each, nth): [string, string] => [`127.0.0.1:300${nth + 1} `, `127.0.0.1:${each} `]),
  ]);
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 1000; } http { access_log off; ${temporaryPaths.join(' ')}\n${site}\n}\n`,
  );
  await startServer(defer, 'nginx', ['-p', folder, '-c', config, '-g', 'daemon off;'], port, {});
}

/** PgBouncer in front of the PostgreSQL whose socket is in this folder. */
export async function startPgBouncer(defer: Defer, port: number, socketFolder: string) {
  const folder = temporaryFolder(defer);
  chmodSync(folder, 0o755); // as root it runs under another account
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    replaceAll(readFileSync(at('docs/scaling/pgbouncer.ini'), 'utf8'), [
      ['host=127.0.0.1 port=5432', `host=${socketFolder} user=postgres`],
      ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`],
      ['auth_type = scram-sha-256', 'auth_type = any'],
      ['auth_file = /etc/pgbouncer/userlist.txt', ''],
    ]),
  );
  await startServer(defer, 'pgbouncer', ['-q', config], port, { ...unprivileged(), cwd: folder });
}

async function startServer(defer: Defer, name: string, args: string[], port: number, options: SpawnOptions) {
  const found = spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${name}`], { encoding: 'utf8' });
  if (found.status !== 0) throw new Error(`${name} is needed (Debian: apt-get install ${name})`);
  const child = spawn(found.stdout.trim(), args, { ...options, stdio: 'ignore' });
  const exited = once(child, 'exit');
  defer(() => {
    child.kill('SIGTERM');
    return exited;
  });
  if (!(await waitUntil(() => accepts(port), 10_000))) throw new Error(`${name} did not start`);
}

/** A text that is not in the file is an error: the documented file has changed. */
function replaceAll(text: string, replacements: [string, string][]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the documented file no longer has "${from}"`);
    return result.replace(from, to);
  }, text);
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
