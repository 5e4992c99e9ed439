import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  acknowledgedIds,
  allowOthersInto,
  dataFolder,
  endAll,
  postmasterPid,
  requireStored,
  startChild,
  stopChild,
} from '#server/testing/built-in.ts';
import { quiet } from '#server/testing/databases.ts';
import { startBuiltIn } from './built-in.ts';

const asRoot = process.getuid?.() === 0;
const user = asRoot ? { uid: 65_534, gid: 65_534 } : undefined;

afterEach(endAll);

test('as an ordinary user it runs as that user', async () => {
  const dataDir = dataFolder('ordinary');
  if (user) {
    allowOthersInto(dataDir);
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, user.uid, user.gid);
  }
  const child = startChild(dataDir, { user });
  await child.reported('open ');
  const uid = user?.uid ?? process.getuid?.();
  expect(statSync(join(dataDir, 'postgres')).uid).toBe(uid);
  expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(uid);
  await stopChild(child);
}, 120_000);

test.runIf(asRoot)(
  'a data folder of another user is refused, and the error names that user',
  async () => {
    const dataDir = dataFolder('owned');
    await (await startBuiltIn({ dataDir, log: quiet })).close();
    execFileSync('chown', ['-R', '65533', dataDir]);
    chmodSync(dataDir, 0o777);
    allowOthersInto(dataDir);
    const child = startChild(dataDir, { user: { uid: 65_534, gid: 65_534 } });
    expect(await child.exited).toBe(1);
    expect(child.errors.join()).toMatch(
      /postgres belongs to the user with the id 65533. Start Highstreet as that user/,
    );
  },
  120_000,
);

test.runIf(asRoot)(
  'as root it runs under another account, also below a folder that others cannot enter',
  async () => {
    for (const mode of [0o755, 0o700]) {
      const dataDir = dataFolder(`root-${mode.toString(8)}`);
      allowOthersInto(dataDir);
      chmodSync(join(dataDir, '..'), mode);
      const child = startChild(dataDir, { task: 'write' });
      await child.reported('kept ', 20);
      await stopChild(child);
      const again = startChild(dataDir);
      await again.reported('open ');
      requireStored(acknowledgedIds(child), again);
      await stopChild(again);
    }
  },
  120_000,
);

/** A container may have dropped these capabilities. */
const canKeepCapabilities =
  asRoot && spawnSync('setpriv', ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', 'true']).status === 0;

test.runIf(canKeepCapabilities)(
  'as root without user namespaces it runs under another account that may enter any folder',
  async () => {
    const dataDir = dataFolder('capabilities');
    allowOthersInto(dataDir);
    const above = join(dataDir, '..');
    chmodSync(above, 0o700);
    const programs = join(above, 'programs');
    mkdirSync(programs);
    for (const name of ['sh', 'id', 'setpriv', 'flock']) {
      symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name));
    }
    const child = startChild(dataDir, { task: 'write', path: programs });
    await child.reported('kept ', 20);
    const { uid } = statSync(`/proc/${postmasterPid(dataDir)}`);
    expect(uid).not.toBe(0);
    const status = readFileSync(`/proc/${postmasterPid(dataDir)}/status`, 'utf8');
    expect(status.match(/^Cap(?:Eff|Bnd):\s+0*4$/gm), 'only CAP_DAC_READ_SEARCH').toHaveLength(2);
    expect(await child.reported('warned ')).toEqual([expect.stringContaining('the capability to read every file')]);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(uid);
    await stopChild(child);
    const again = startChild(dataDir, { path: programs });
    await again.reported('open ');
    requireStored(acknowledgedIds(child), again);
    await stopChild(again);
  },
  120_000,
);
