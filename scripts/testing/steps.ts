import { findChromium } from '../../e2e/chromium.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { program } from './program.ts';
import { type Tally, tallyPlaywright, tallyProgram, tallyVitest } from './tally.ts';

export interface Run {
  /** Where the runners write what they counted. */
  reports: string;
  filters: string[];
  postgres: TestPostgres | undefined;
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
  vitest('api-embedded', 'API on the embedded database'),
  { ...vitest('api-postgres', 'API on PostgreSQL'), run: onPostgres },
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

async function runVitest(project: string, { reports, filters, postgres }: Run) {
  const report = `${reports}/${project}.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', project, '--passWithNoTests', ...reporters, ...filters];
  const url = process.env.TEST_DATABASE_URL ?? postgres?.url;
  return tallyVitest(report, await program('vitest', args, url ? { TEST_DATABASE_URL: url } : {}));
}

/** The server for this run: the one that was named, or our own, started for the first step that needs it. */
async function postgresUrl(run: Run): Promise<string | undefined> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  run.postgres ??= await startPostgres();
  return run.postgres?.url;
}

async function onPostgres(run: Run) {
  if (!(await postgresUrl(run))) {
    return {
      leftOut: 'no PostgreSQL found; install one (Debian: apt-get install postgresql) or set TEST_DATABASE_URL',
    };
  }
  return runVitest('api-postgres', run);
}

async function stories(run: Run) {
  const { reports, filters } = run;
  if (!findChromium()) {
    return { leftOut: 'no Chromium found; install one (Debian: apt-get install chromium) or set CHROMIUM_PATH' };
  }
  const report = `${reports}/stories.json`;
  const args = ['test', '--pass-with-no-tests', ...filters];
  const url = await postgresUrl(run);
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...(url && { TEST_DATABASE_URL: url }) };
  return tallyPlaywright(report, await program('playwright', args, env));
}
