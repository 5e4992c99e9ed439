import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getSetup } from '#contract/auth/auth.calls.ts';
import { type Carried, carryOut, start, startBeside } from '../packaging/carry-out.ts';
import { execForm, last, parseDockerfile } from '../packaging/dockerfile.ts';
import { dockerContext } from '../packaging/dockerignore.ts';
import { at } from '../setup/paths.mjs';
import { freePort } from './product.ts';
import { becomes, type Checks, type Proof, withCleanUp } from './proof.ts';

const DEVELOPMENT = ['typescript', 'vite', 'vitest', 'esbuild', '@playwright', 'react', 'tsx', '@biomejs'];

/** The Dockerfile, line by line, on a machine without a container engine; the base image is this machine. */
export const image: Proof = {
  says: 'what the Dockerfile makes runs without root, on a disk that it cannot write, and stops when told',
  run: (_args, checks) =>
    withCleanUp(async (later) => {
      if (process.getuid?.() !== 0) throw new Error('this proof mounts things and needs root');
      const folder = mkdtempSync('/tmp/highstreet-image-');
      later(() => rmSync(folder, { recursive: true, force: true }));
      const built = await build(folder);
      judgeContents(built, checks);
      await judgeRun(built, checks, later);
    }),
};

async function build(folder: string): Promise<Carried> {
  const isGiven = dockerContext(readFileSync(at('.dockerignore'), 'utf8'));
  const files = execFileSync('git', ['ls-files'], { cwd: at(''), encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  const context = files.filter((path) => isGiven(path) && existsSync(at(path)));
  const carried: Carried[] = [];
  for (const stage of parseDockerfile(readFileSync(at('Dockerfile'), 'utf8'))) {
    console.log(`  carrying out the stage ${stage.name}…`);
    carried.push(await carryOut(stage, folder, context, carried));
  }
  return carried.at(-1) as Carried; // parsed from a file whose stages have a test
}

function judgeContents({ root, workdir }: Carried, checks: Checks) {
  const inside = (path: string) => join(root + workdir, path);
  const packages = readdirSync(inside('node_modules'));
  checks.holds(
    'no development package is in it',
    !DEVELOPMENT.some((name) => packages.includes(name)),
    packages.length,
  );
  checks.holds(
    'no source is in it',
    readdirSync(root + workdir)
      .sort()
      .join() === 'LICENSE,dist,node_modules,package.json,packaging',
  );
  const megabytes = (path: string) => Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]);
  checks.holds('its layers take less than 150 MB', megabytes(root) < 150, `${megabytes(root)} MB`);
}

async function judgeRun(built: Carried, checks: Checks, later: (undo: () => unknown) => void) {
  const { stage, root, workdir } = built;
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const program = [...execForm(last(stage, 'ENTRYPOINT')), ...execForm(last(stage, 'CMD'))];
  for (const round of ['the first start', 'a second start on the same volume']) {
    const child = start(built, program, { PORT: port });
    const pid = child.pid as number; // it was started
    const ended = once(child, 'exit');
    later(() => child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const ready = await becomes(() => responses(`${url}/readyz`), 90_000);
    checks.holds(`${round} gets ready`, ready, ready ? '' : said.slice(-2_000));
    if (!ready) return;

    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    checks.holds(
      'it is not root and can never become it',
      /^Uid:\s+1000\s+1000/m.test(status) && /^NoNewPrivs:\s+1/m.test(status),
    );
    checks.holds('it has no capability', /^CapEff:\s+0+$/m.test(status) && /^CapBnd:\s+0+$/m.test(status));
    const page = await fetch(`${url}/auth`);
    checks.holds('it serves the web app', page.ok && (await page.text()).includes('<div id="app"'), page.status);
    const setup = getSetup.response.parse(await (await fetch(`${url}/api/setup`)).json());
    checks.holds('it asks for a set-up code, as it listens to all', setup.codeRequired, setup);

    const healthCheck = execForm(last(stage, 'HEALTHCHECK'));
    checks.holds('its health check passes', startBeside(pid, built, healthCheck, { PORT: port }) === 0);
    checks.holds('and fails where nothing answers', startBeside(pid, built, healthCheck, { PORT: '1' }) === 1);
    const touch = (path: string) => startBeside(pid, built, ['touch', path], {}) === 0;
    checks.holds('it can write to its volume and to /tmp', touch('/var/lib/highstreet/here') && touch('/tmp/here'));
    checks.holds('and nowhere else', !touch(`${workdir}/here`) && !touch('/var/lib/here') && !touch('/etc/here'));
    const file = `/var/lib/highstreet/${round.length}.backup`;
    const backedUp = startBeside(pid, built, ['node', 'dist/server/backup.js', 'backup', file], {}) === 0;
    checks.holds('a backup is made beside it while it runs', backedUp && statSync(root + file).size > 0);

    const before = Date.now();
    child.kill('SIGTERM');
    const [code] = await ended;
    checks.holds('SIGTERM ends it with 0', code === 0, `${code} after ${Date.now() - before} ms`);
  }
}

const responses = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
