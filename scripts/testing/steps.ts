import { availableParallelism } from 'node:os';
import { findChromium } from '../../e2e/chromium.ts';
import { findNode24, NODE_24 } from './node-24.ts';
import { startPostgres } from './postgres.ts';
import { runProgram } from './program.ts';
import { type Tally, tallyPlaywright, tallyProgram, tallyVitest, withSecondRun } from './tally.ts';

export interface Run {
  /** The folder for the JSON reports of the test runners. */
  reports: string;
  filters: string[];
  /** Otherwise one story a screen (the tag `@screen`), and no test file with `.thorough.` in its name. */
  thorough: boolean;
  /** Collects what a step prints while it runs beside another. */
  output?: Buffer[] | undefined;
}

export interface Step {
  name: string;
  title: string;
  /** Whether it consists of test files, which filters can select. */
  filtered: boolean;
  /** Runs with `npm run test:all` only. */
  thorough?: boolean;
  run(run: Run): Promise<Tally | Unavailable>;
}

/** Why a step cannot run on this machine, and what it needs. */
export interface Unavailable {
  unavailable: string;
}

/**
 * Of each program. By default there are four, which on two cores only repeat each other's work: server and web are checked
 * at the same time anyway.
 */
const CHECKERS = Math.max(1, Math.floor(availableParallelism() / 2));

/** Steps of one group run at the same time. Together they keep two cores busy; alone each would leave one idle. */
export const STEP_GROUPS: Step[][] = [
  [
    checkStep('lint', 'Formatting and lint', 'biome', ['check', '--error-on-warnings', '.']),
    checkStep('types', 'Types', 'tsc', ['-b', '--checkers', `${CHECKERS}`]),
    checkStep('build', 'Build', 'node', ['--import', 'tsx', 'scripts/build.ts', '--if-changed']),
  ],
  [vitestStep('rules', 'Rules and units')],
  [vitestStep('web', 'Screens')],
  [vitestStep('api', 'API on the built-in PostgreSQL')],
  [
    {
      ...{ name: 'api-oldest', title: 'API on the oldest PostgreSQL', filtered: true, thorough: true },
      run: runOnInstalledPostgres,
    },
    { ...vitestStep('faults', 'Faults'), thorough: true },
  ],
  [{ name: 'stories', title: 'Stories in a browser', filtered: true, run: runStories }],
  [{ name: 'node-24', title: 'Start on Node 24', filtered: false, thorough: true, run: startOnNode24 }],
];

function checkStep(name: string, title: string, command: string, args: string[]): Step {
  return {
    name,
    title,
    filtered: false,
    run: async ({ output }) => tallyProgram(await runProgram(command, args, { output })),
  };
}

function vitestStep(name: string, title: string): Step {
  return { name, title, filtered: true, run: (run) => runVitest(name, run) };
}

async function runVitest(name: string, run: Run, project = name, env = { TEST_DATABASE_URL: '' }) {
  const { reports, filters, output, thorough } = run;
  const report = `${reports}/${name}.json`;
  const excluded = thorough ? [] : ['--exclude=**/*.thorough.*'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', project, '--passWithNoTests', ...excluded, ...reporters, ...filters];
  return tallyVitest(report, await runProgram('vitest', args, { env, output }));
}

/** The API tests on the server of TEST_DATABASE_URL, or on an installed PostgreSQL: in CI, the oldest supported version. */
async function runOnInstalledPostgres(run: Run) {
  const { TEST_DATABASE_URL } = process.env;
  if (TEST_DATABASE_URL) return runVitest('api-oldest', run, 'api', { TEST_DATABASE_URL });
  const postgres = await startPostgres();
  if (!postgres) {
    return {
      unavailable: 'no PostgreSQL is installed (Debian: apt-get install postgresql), and TEST_DATABASE_URL is not set',
    };
  }
  try {
    return await runVitest('api-oldest', run, 'api', { TEST_DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

const NO_CHROMIUM: Unavailable = {
  unavailable: 'no Chromium found; install one (Debian: chromium-headless-shell) or set CHROMIUM_PATH',
};

async function runStories(run: Run) {
  const { filters, thorough } = run;
  if (!findChromium()) return NO_CHROMIUM;
  const tagged = thorough ? [] : ['--grep=@screen'];
  const tally = await runPlaywright('stories', ['--pass-with-no-tests', ...tagged, ...filters], run);
  if (!tally.failures.length) return tally;
  return withSecondRun(tally, await runPlaywright('stories-again', ['--last-failed', '--workers=1'], run));
}

/** The image and the documentation use this version; the machine may have an older one that is supported. */
async function startOnNode24(run: Run) {
  if (!findChromium()) return NO_CHROMIUM;
  const node = await findNode24();
  if (!node) return { unavailable: `Node 24 is not installed, and the npm package ${NODE_24} cannot be fetched` };
  return runPlaywright('node-24', ['first-account', 'work-a-lead'], run, { PRODUCT_NODE: node });
}

async function runPlaywright(name: string, args: string[], { reports, output }: Run, env: NodeJS.ProcessEnv = {}) {
  const report = `${reports}/${name}.json`;
  const options = { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report }, output };
  return tallyPlaywright(report, await runProgram('playwright', ['test', ...args], options));
}
