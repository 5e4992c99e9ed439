import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { at } from '../setup/paths.mjs';
import { unprivileged } from '../testing/postgres.ts';
import { becomes } from './proof.ts';

// The programs around the product, with the files that docs/scaling.md tells people to use: only addresses and
// sign-in are replaced, and a line that is no longer there is an error.

interface Server {
  port: number;
  stop(): Promise<void>;
}

/** nginx in front of these ports of the product. */
export async function startNginx(port: number, products: number[]): Promise<Server> {
  const folder = mkdtempSync('/tmp/highstreet-nginx-');
  let site = replaced(
    readFileSync(at('docs/scaling/nginx.conf'), 'utf8'),
    'listen 127.0.0.1:8080',
    `listen 127.0.0.1:${port}`,
  );
  products.forEach((product, nth) => {
    site = replaced(site, `server 127.0.0.1:300${nth + 1} `, `server 127.0.0.1:${product} `);
  });
  writeFileSync(join(folder, 'site.conf'), site);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 12000; } worker_rlimit_nofile 19000;
     http { access_log off; ${temp} include ${folder}/site.conf; }\n`,
  );
  const child = spawn(requireProgram('nginx'), ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return started('nginx', child, port, folder, 'SIGQUIT');
}

/** PgBouncer in front of the server whose socket is in this folder. */
export async function startPgBouncer(port: number, socketFolder: string): Promise<Server> {
  const folder = mkdtempSync('/tmp/highstreet-pgbouncer-');
  const owner = unprivileged();
  let config = readFileSync(at('docs/scaling/pgbouncer.ini'), 'utf8');
  config = replaced(config, 'host=127.0.0.1 port=5432', `host=${socketFolder} user=postgres`);
  config = replaced(config, 'listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`);
  config = replaced(config, 'auth_type = scram-sha-256', 'auth_type = any');
  config = replaced(config, 'auth_file = /etc/pgbouncer/userlist.txt', 'log_connections = 0\nlog_disconnections = 0');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'pgbouncer.ini'), config);
  if (owner) for (const path of [folder, join(folder, 'pgbouncer.ini')]) chownSync(path, owner.uid, owner.gid);
  const child = spawn(requireProgram('pgbouncer'), ['-q', join(folder, 'pgbouncer.ini')], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return started('pgbouncer', child, port, folder, 'SIGTERM');
}

async function started(name: string, child: ChildProcess, port: number, folder: string, end: NodeJS.Signals) {
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill(end);
      // A worker may wait for a stream that nobody ends.
      const late = setTimeout(() => child.kill('SIGTERM'), 2_000);
      await ended;
      clearTimeout(late);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  if (!(await becomes(() => listens(port), 10_000))) {
    await stop();
    throw new Error(`${name} did not start`);
  }
  return { port, stop };
}

function requireProgram(name: string): string {
  const { stdout, status } = spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${name}`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} is needed (Debian: apt-get install ${name})`);
  return stdout.trim();
}

function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`the documented file no longer has "${what}"`);
  return text.replace(what, by);
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
