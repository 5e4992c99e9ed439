import { findChromium } from '../../e2e/chromium.ts';
import { startPostgres } from './postgres.ts';
import { program } from './program.ts';
import { type Tally, tallyPlaywright, tallyProgram, tallyVitest } from './tally.ts';

export interface Run {
  /** Where the runners write what they counted. */
  reports: string;
  filters: string[];
}

export interface Step {
  name: string;
  title: string;
  /** Whether it consists of test files, which filters can choose among. */
  filtered: boolean;
  run(run: Run): Promise<Tally | LeftOut>;
}

/** Why a step could not run here, and what would let it. */
export interface LeftOut {
  leftOut: string;
}

export const STEPS: Step[] = [
  checking('lint', 'Formatting, lint and the import rule', 'biome', ['check', '--error-on-warnings', '.']),
  checking('types', 'Types', 'tsc', ['-b']),
  vitest('rules', 'Rules and units'),
  vitest('web', 'Screens'),
  vitest('api', 'API on the built-in PostgreSQL'),
  { name: 'api-oldest', title: 'API on the oldest PostgreSQL', filtered: true, run: onInstalledPostgres },
  vitest('faults', 'Faults'),
  checking('build', 'Build', 'node', ['--import', 'tsx', 'scripts/build.ts', '--if-changed']),
  { name: 'stories', title: 'Stories in a browser', filtered: true, run: stories },
];

function checking(name: string, title: string, command: string, args: string[]): Step {
  return { name, title, filtered: false, run: async () => tallyProgram(await program(command, args)) };
}

function vitest(name: string, title: string): Step {
  return { name, title, filtered: true, run: (run) => runVitest(name, run) };
}

async function runVitest(name: string, { reports, filters }: Run, project = name, env = { TEST_DATABASE_URL: '' }) {
  const report = `${reports}/${name}.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', project, '--passWithNoTests', ...reporters, ...filters];
  return tallyVitest(report, await program('vitest', args, env));
}

/** The same tests on the server of TEST_DATABASE_URL, or on an installed PostgreSQL: in CI, the oldest that is supported. */
async function onInstalledPostgres(run: Run) {
  const { TEST_DATABASE_URL } = process.env;
  if (TEST_DATABASE_URL) return runVitest('api-oldest', run, 'api', { TEST_DATABASE_URL });
  const postgres = await startPostgres();
  if (!postgres) {
    return {
      leftOut: 'no PostgreSQL is installed (Debian: apt-get install postgresql), and TEST_DATABASE_URL is not set',
    };
  }
  try {
    return await runVitest('api-oldest', run, 'api', { TEST_DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

async function stories({ reports, filters }: Run) {
  if (!findChromium()) {
    return { leftOut: 'no Chromium found; install one (Debian: apt-get install chromium) or set CHROMIUM_PATH' };
  }
  const report = `${reports}/stories.json`;
  const args = ['test', '--pass-with-no-tests', ...filters];
  return tallyPlaywright(report, await program('playwright', args, { PLAYWRIGHT_JSON_OUTPUT_NAME: report }));
}
