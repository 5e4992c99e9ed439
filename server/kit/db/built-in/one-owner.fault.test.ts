import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import {
  acknowledgedIds,
  allowOthersInto,
  type Child,
  dataFolder,
  endAll,
  postmasterPid,
  requireStored,
  startChild,
  stopChild,
} from '#server/testing/built-in.ts';
import { isAlive, quiet } from '#server/testing/databases.ts';
import { joinOrStartBuiltIn, openBuiltInAlone, startBuiltIn } from './built-in.ts';
import { lockFolder } from './folder-lock.ts';
import { takeOwnership } from './ownership.ts';

// A data folder has one owner, whatever user, process and IPC namespaces its processes are in.

const asRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };
/** As a systemd unit with PrivateUsers=yes. */
const USER_NAMESPACE = ['unshare', '--user', '--map-current-user'];
/** As a container. Its first process is the shell, so that it outlives a killed product. */
const CONTAINER = [
  ...['unshare', '--pid', '--ipc', '--mount-proc', '--fork', '--kill-child'],
  ...['sh', '-c', 'exec 4<&0; "$@" <&4 & echo "child $!"; wait; sleep 60', 'sh'],
];

afterEach(endAll);

/** A data folder of an account that is not root. */
function folderOfNobody(name: string): string {
  const dataDir = dataFolder(name);
  allowOthersInto(dataDir);
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, NOBODY.uid, NOBODY.gid);
  return dataDir;
}

async function expectRefused(child: Child, reason: RegExp) {
  expect(await child.exited).toBe(1);
  expect(child.errors).toEqual([expect.stringMatching(reason)]);
}

const continues = (child: Child) => child.reported('kept ', acknowledgedIds(child).length + 20);

test.runIf(asRoot)(
  'a command outside the user namespace of a server uses that server and leaves it running',
  async () => {
    const dataDir = folderOfNobody('private-users');
    const server = startChild(dataDir, { task: 'write', user: NOBODY, wrapper: USER_NAMESPACE });
    await server.reported('kept ');
    const pidFile = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');

    const command = startChild(dataDir, { task: 'join', user: NOBODY });
    expect(await command.exited, command.errors.join()).toBe(0);
    await expectRefused(
      startChild(dataDir, { task: 'alone', user: NOBODY }),
      /postgres is in use by Highstreet, process/,
    );
    await expectRefused(startChild(dataDir, { user: NOBODY }), /postgres is in use by Highstreet, process/);

    await continues(server);
    expect(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).toBe(pidFile);
    await stopChild(server);
  },
  120_000,
);

test.runIf(asRoot)(
  'a socket that may not be opened is not taken for no server',
  async () => {
    const dataDir = folderOfNobody('closed-socket');
    const server = startChild(dataDir, { task: 'write', user: NOBODY });
    await server.reported('kept ');
    chmodSync(join(dataDir, 'run'), 0);
    await expectRefused(
      startChild(dataDir, { task: 'join', user: NOBODY }),
      /may be running on .*its socket .* cannot be used \(EACCES\). Stop the Highstreet that runs there, or use the account/,
    );
    await expectRefused(
      startChild(dataDir, { task: 'join', user: { uid: 65_533, gid: 65_533 } }),
      /data belongs to another account/,
    );
    chmodSync(join(dataDir, 'run'), 0o700);
    await continues(server);
    await stopChild(server);
  },
  120_000,
);

test.runIf(asRoot)(
  'of two containers on one volume, 20 times at the same moment, one serves and the other exits',
  async () => {
    const dataDir = dataFolder('volume');
    for (let round = 1; round <= 20; round += 1) {
      const starters = [1, 2].map(() => startChild(dataDir, { wrapper: CONTAINER.slice(0, 6) }));
      const outcomes = await Promise.allSettled(starters.map((child) => child.reported('open ')));
      const winner = starters[outcomes.findIndex(({ status }) => status === 'fulfilled')];
      const loser = starters[outcomes.findIndex(({ status }) => status === 'rejected')];
      if (!winner || !loser) throw new Error(`round ${round}: ${outcomes.map(({ status }) => status)}`);
      await expectRefused(loser, /postgres is in use by Highstreet, process/);
      await stopChild(winner);
    }
  },
  240_000,
);

test('a start that meets an owner which has not described itself yet waits to name it', () => {
  const dataDir = dataFolder('undescribed');
  mkdirSync(dataDir);
  const lock = lockFolder(dataDir) ?? 0;
  const owner = join(dataDir, 'owner');
  spawn('sh', ['-c', `sleep 0.3; echo "Highstreet, process 7" > ${owner}.new; mv ${owner}.new ${owner}`]);
  expect(() => takeOwnership(dataDir)).toThrow(/in use by Highstreet, process 7/);
  closeSync(lock);
});

test.runIf(asRoot)(
  'a server that outlived its product in another container is used by commands, and never signalled',
  async () => {
    const dataDir = dataFolder('orphan');
    const container = startChild(dataDir, { task: 'write', wrapper: CONTAINER });
    await container.reported('kept ', 50);
    const [line = ''] = await container.reported('child ');
    await killInside(container.process.pid ?? 0, Number(line.slice('child '.length)));

    await expect(startBuiltIn({ dataDir, log: quiet })).rejects.toThrow(
      /whose Highstreet was killed still runs on .*restart that container/,
    );
    const command = startChild(dataDir, { task: 'alone' });
    expect(await command.exited, command.errors.join()).toBe(0);
    requireStored(acknowledgedIds(container), command);
  },
  120_000,
);

test.runIf(asRoot)(
  'the files of a server that outlived its product in another container keep their owner',
  async () => {
    const dataDir = dataFolder('orphan-files');
    allowOthersInto(dataDir);
    const container = startChild(dataDir, { task: 'write', wrapper: CONTAINER });
    await container.reported('kept ');
    const [line = ''] = await container.reported('child ');
    await killInside(container.process.pid ?? 0, Number(line.slice('child '.length)));
    const readOwners = () => ['postgres', 'run'].map((folder) => statSync(join(dataDir, folder)).uid);
    const owners = readOwners();
    chmodSync(join(dataDir, '..'), 0o700); // now root would start a server that owns its files as root

    await expect(startBuiltIn({ dataDir, log: quiet })).rejects.toThrow(/restart that container/);
    expect(readOwners()).toEqual(owners);
  },
  120_000,
);

/** The nth process that a shell in a container started; a child of the shell, which is a child of unshare. */
async function killInside(unshare: number, pidInside: number) {
  const children = (pid: number) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const [shell = 0] = children(unshare);
  const product = children(shell).find((pid) =>
    new RegExp(`^NSpid:.*\\s${pidInside}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8')),
  );
  process.kill(product ?? 0, 'SIGKILL');
  while (isAlive(product ?? 0)) await pause(20); // until the shell has waited for it
}

test('after a backend was killed, a second start and a command alone are refused, and a command beside it works', async () => {
  const dataDir = dataFolder('backend-killed');
  const server = startChild(dataDir, { task: 'write' });
  await server.reported('kept ');
  const postmaster = postmasterPid(dataDir) ?? 0;
  const backends = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  const backend = backends.find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('highstreet highstreet'),
  );
  process.kill(backend ?? 0, 'SIGKILL');

  await Promise.all([
    expectRefused(startChild(dataDir), /in use by Highstreet, process/),
    expectRefused(startChild(dataDir, { task: 'alone' }), /in use by Highstreet, process/),
    startChild(dataDir, { task: 'join' }).reported('closed'),
  ]);
  await continues(server);
  expect(postmasterPid(dataDir)).toBe(postmaster);
  await stopChild(server);
}, 120_000);

test('a command on a copied folder uses the copy, while the server of the original runs', async () => {
  const [dataDir, copy] = [dataFolder('original'), dataFolder('copy')];
  await (await startBuiltIn({ dataDir, log: quiet })).close();
  cpSync(dataDir, copy, { recursive: true });
  const original = await startBuiltIn({ dataDir, log: quiet });
  // As in a copy of the folder of a running server. Both have the same password.
  copyFileSync(join(dataDir, 'postgres', 'postmaster.pid'), join(copy, 'postgres', 'postmaster.pid'));
  const pid = postmasterPid(dataDir);
  for (const open of [joinOrStartBuiltIn, openBuiltInAlone]) {
    const opened = await open({ dataDir: copy, log: quiet });
    expect(new URL(opened.databaseUrl).searchParams.get('host')).toBe(join(copy, 'run'));
    await opened.close();
    copyFileSync(join(dataDir, 'postgres', 'postmaster.pid'), join(copy, 'postgres', 'postmaster.pid'));
  }
  expect(postmasterPid(dataDir)).toBe(pid);
  await original.close();
}, 120_000);

test.runIf(asRoot)(
  'root may run a command on the folder of another account, which starts on it afterwards',
  async () => {
    const dataDir = folderOfNobody('used-by-root');
    const first = startChild(dataDir, { user: NOBODY });
    await first.reported('open ');
    await stopChild(first);
    rmSync(join(dataDir, 'postgres-password')); // as a former version left it
    const command = startChild(dataDir, { task: 'join' });
    expect(await command.exited, command.errors.join()).toBe(0);
    const again = startChild(dataDir, { user: NOBODY });
    await again.reported('open ');
    await stopChild(again);
  },
  120_000,
);

const connect = async (dataDir: string, user: string, password?: string) => {
  const client = new pg.Client({ host: join(dataDir, 'run'), user, database: 'postgres', password });
  client.on('error', () => {});
  await client.connect();
  await client.end();
};

test('only the password of the data folder opens a connection, and a folder without one gets it at the next start', async () => {
  const dataDir = dataFolder('password');
  const file = join(dataDir, 'postgres-password');
  await (await startBuiltIn({ dataDir, log: quiet })).close();
  // As a former version left it.
  rmSync(file);
  writeFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'local all all trust\n');

  const server = await startBuiltIn({ dataDir, log: quiet });
  expect(statSync(file)).toMatchObject({ mode: 0o100600, uid: process.getuid?.() });
  const password = readFileSync(file, 'utf8');
  allowOthersInto(dataDir);
  if (asRoot) expect(spawnSync('cat', [file], NOBODY).status, 'the account of the server, too').not.toBe(0);
  for (const role of ['postgres', 'highstreet']) {
    await expect(connect(dataDir, role)).rejects.toThrow(/password/);
    await expect(connect(dataDir, role, `${password}0`)).rejects.toThrow(/password authentication failed/);
    await connect(dataDir, role, password);
  }
  await server.close();

  writeFileSync(file, 'another');
  await expect(startBuiltIn({ dataDir, log: quiet })).rejects.toThrow(/has another password than .*Delete that file/);
  rmSync(file);
  const joined = await joinOrStartBuiltIn({ dataDir, log: quiet });
  await joined.close();
}, 120_000);
