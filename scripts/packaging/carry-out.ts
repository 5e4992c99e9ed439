import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { at } from '../setup/paths.mjs';
import { environmentOf, type Instruction, last, type Stage } from './dockerfile.ts';

/** Folders of the image that are ours; everything else in it is the base image's, for which this machine stands. */
const OURS = ['/opt', '/var/lib'];

/** A stage that was carried out: `root` is where its part of the image's file system lies. */
export interface Carried {
  stage: Stage;
  root: string;
  workdir: string;
}

/** Does what an engine would do for a stage, on files of this machine, in a view of them that nobody else sees. */
export async function carryOut(stage: Stage, folder: string, context: string[], earlier: Carried[]): Promise<Carried> {
  const carried: Carried = { stage, root: join(folder, stage.name), workdir: '/' };
  for (const path of OURS) mkdirSync(carried.root + path, { recursive: true });
  for (const instruction of stage.instructions) {
    if (instruction.name === 'WORKDIR') {
      carried.workdir = instruction.text;
      mkdirSync(carried.root + carried.workdir, { recursive: true });
    } else if (instruction.name === 'COPY') copy(instruction, carried, context, earlier);
    else if (instruction.name === 'RUN') await run(instruction, carried);
  }
  return carried;
}

function copy({ text, flags }: Instruction, { root, workdir }: Carried, context: string[], earlier: Carried[]) {
  const words = text.split(/\s+/);
  const target = root + join(workdir, words.pop() ?? '');
  const from = earlier.find(({ stage }) => stage.name === flags.from);
  if (from) return words.forEach((word) => void cpSync(from.root + word, target, { recursive: true }));
  for (const word of words) {
    const chosen = word === '.' ? context : context.filter((path) => path === word);
    if (!chosen.length) throw new Error(`COPY finds no ${word}`);
    for (const path of chosen) {
      const place = join(target, word === '.' ? path : basename(path));
      mkdirSync(dirname(place), { recursive: true });
      cpSync(at(path), place);
    }
  }
}

const bind = (root: string) => OURS.map((path) => `mount --bind '${root}${path}' ${path}`).join(' && ');

async function run({ text }: Instruction, { root, workdir }: Carried) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV|INIT_CWD)/i.test(name)),
  );
  const script = `${bind(root)} && cd ${workdir} && ${text}`;
  const child = spawn('unshare', ['--mount', 'sh', '-c', script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((ended) => child.once('close', ended));
  if (code !== 0) throw new Error(`RUN ${text} ended with ${code}`);
}

/** Runs a program of the image as its user, without any right, where nothing but the volume and /tmp can be written. */
export function start({ stage, root, workdir }: Carried, words: string[], more: Record<string, string>) {
  const volume = last(stage, 'VOLUME').text;
  const settings = { PATH: process.env.PATH ?? '', ...environmentOf(stage), ...more };
  const view = [
    bind(root),
    `mount --bind '${root}${volume}' ${volume}`,
    ...['/', ...OURS].map((path) => `mount -o remount,ro,bind ${path}`),
    'mount -t tmpfs -o mode=1777,size=64m tmpfs /tmp',
    `cd ${workdir}`,
    `exec ${asUser(stage)} "$@"`,
  ].join(' && ');
  return spawn('unshare', ['--mount', 'sh', '-c', view, 'sh', ...words], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs something beside a program that is running, as `docker exec` would, and gives its exit code. */
export function startBeside(pid: number, { stage, workdir }: Carried, words: string[], more: Record<string, string>) {
  const script = `cd ${workdir} && exec ${asUser(stage)} "$@"`;
  const env = { PATH: process.env.PATH ?? '', ...environmentOf(stage), ...more };
  try {
    execFileSync('nsenter', ['--target', `${pid}`, '--mount', 'sh', '-c', script, 'sh', ...words], {
      env,
      stdio: 'pipe',
    });
    return 0;
  } catch (error) {
    return (error as { status?: number }).status ?? 1;
  }
}

function asUser(stage: Stage) {
  const [user = '', group = user] = last(stage, 'USER').text.split(':');
  return `setpriv --reuid=${user} --regid=${group} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all`;
}
