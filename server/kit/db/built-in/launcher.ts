import { type SpawnOptions, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Log } from '#server/kit/log.ts';
import { CannotStart, type Programs, programIn } from './programs.ts';

interface Launch {
  command: string;
  args: string[];
  options: Pick<SpawnOptions, 'uid' | 'gid'>;
}

/** How the programs of PostgreSQL are started, and who owns the files that they write. */
export interface Launcher {
  owner: { uid: number; gid: number } | undefined;
  launch: (command: string, args: string[]) => Launch;
}

/** PostgreSQL refuses to run as root. Any other account runs it as itself. */
export function chooseLauncher(programs: Programs, dataDir: string, cluster: string, log: Log): Launcher {
  if (process.getuid?.() !== 0) return asCurrentUser;
  const account = unprivilegedAccount(cluster);
  const isUsable = (launcher: Launcher) => reaches(launcher, programs, dataDir);
  const launcher = [asAccount(account), inUserNamespace(account)].find(isUsable);
  if (launcher) return launcher;
  const lastResort = withCapability(account);
  if (isUsable(lastResort)) {
    log.warn(`PostgreSQL runs with the capability to read every file, because its account cannot enter ${dataDir}`);
    return lastResort;
  }
  throw new CannotStart(
    `PostgreSQL does not run as root, and no other account can reach both ${programs.folder} and ${dataDir}. ` +
      'Start Highstreet as an ordinary user, let other accounts enter these folders (chmod o+x), or set DATABASE_URL.',
  );
}

const asCurrentUser: Launcher = { owner: undefined, launch: (command, args) => ({ command, args, options: {} }) };

interface Account {
  uid: number;
  gid: number;
}

/** The owner of existing data; for new data the account `highstreet` if there is one, or else `nobody`. */
function unprivilegedAccount(cluster: string): Account {
  const stats = statSync(cluster, { throwIfNoEntry: false });
  if (stats?.uid) return { uid: stats.uid, gid: stats.gid };
  return accountNamed('highstreet') ?? accountNamed('nobody') ?? { uid: 65_534, gid: 65_534 };
}

function accountNamed(name: string): Account | undefined {
  const id = (flag: '-u' | '-g') => spawnSync('id', [flag, name], { encoding: 'utf8' });
  const [user, group] = [id('-u'), id('-g')];
  if (user.status !== 0 || group.status !== 0) return undefined;
  return { uid: Number(user.stdout), gid: Number(group.stdout) };
}

const asAccount = (account: Account): Launcher => ({
  owner: account,
  launch: (command, args) => ({ command, args, options: account }),
});

/** The process is still root outside of its namespace, so it enters any folder, and its files are root's. */
const inUserNamespace = ({ uid, gid }: Account): Launcher => ({
  owner: { uid: 0, gid: 0 },
  launch: (command, args) => ({
    command: 'unshare',
    args: ['--user', `--map-user=${uid}`, `--map-group=${gid}`, command, ...args],
    options: {},
  }),
});

/** Where user namespaces are forbidden: another account that may enter any folder, and has no other capability. */
const withCapability = (account: Account): Launcher => ({
  owner: account,
  launch: (command, args) => ({
    command: 'setpriv',
    args: [
      '--securebits=+no_setuid_fixup', // otherwise access(2) does not honour the capability
      '--inh-caps=-all,+dac_read_search',
      '--ambient-caps=-all,+dac_read_search',
      '--bounding-set=-all,+dac_read_search',
      '--no-new-privs',
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      command,
      ...args,
    ],
    options: {},
  }),
});

function reaches({ launch }: Launcher, programs: Programs, dataDir: string): boolean {
  const script = '"$1" --version && cd "$2"';
  const { command, args, options } = launch('sh', ['-c', script, 'sh', programIn(programs, 'postgres'), dataDir]);
  return spawnSync(command, args, { ...options, cwd: '/', stdio: 'ignore' }).status === 0;
}
