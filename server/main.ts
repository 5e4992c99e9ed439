import { join } from 'node:path';
import { clock } from './kit/clock.ts';
import { openConfigured } from './kit/db/open-configured.ts';
import { type Env, InvalidEnvironment, readEnv, withEnvFile } from './kit/env.ts';
import { createLog, type Logger } from './kit/log.ts';
import { MIGRATIONS, ROOT, WEB_ROOT } from './paths.ts';

const STOP_TIMEOUT_MS = 9_500;

const env = readOrExit();
const log = createLog(env.logLevel);
await run(env, log);

function readOrExit(): Env {
  try {
    return readEnv(withEnvFile(join(ROOT, '.env'), process.env));
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error;
    for (const problem of error.problems) console.error(`Configuration: ${problem}`);
    process.exit(1);
  }
}

async function run(env: Env, log: Logger) {
  // A stop during the start waits for it: nothing uses the database after it is closed.
  const isStopping = stopOnSignal(log, async () => (await starting).stop());
  const starting = start(env, log, isStopping);
  try {
    await starting;
  } catch (error) {
    // One line for the operator; the log has the details.
    console.error(`Highstreet cannot start: ${(error as Error).message}`);
    log.fatal({ err: error }, 'not started');
    process.exit(1);
  }
}

async function start(env: Env, log: Logger, isStopping: () => boolean) {
  // Loads most of the code while the database opens.
  const loading = import('./app.ts');
  loading.catch(() => {}); // reported below, unless the database does not open
  const database = await openConfigured(env, {
    ...{ migrationsDir: MIGRATIONS, log },
    beforeMigrating: async (directUrl) => {
      const { backUpBeforeMigrating } = await import('./backup/upgrade-backup.ts');
      await backUpBeforeMigrating(env, log, directUrl);
    },
  });
  if (isStopping()) return { stop: database.close };
  const { createApp } = await loading;
  const app = await createApp({ database, env, clock, log, ...(WEB_ROOT && { webRoot: WEB_ROOT }) });
  const stop = async () => {
    await app.close();
    await database.close();
  };
  if (app.mapProblem) console.error(app.mapProblem);
  app.outbox.start();
  app.jobs.start();
  try {
    await app.http.listen({ host: env.host, port: env.port });
  } catch (error) {
    console.error(`Highstreet cannot listen on ${env.host}:${env.port}: ${(error as Error).message}`);
    await stop();
    process.exit(1);
  }
  app
    .warmUp()
    .catch((error) => log.warn({ err: error }, 'the sample of places was not loaded; the first search does it'));
  const { port } = app.http.server.address() as { port: number };
  if (app.setup.code && (await app.needsSetup())) console.log(`Set-up code for the first account: ${app.setup.code}`);
  console.log(`Highstreet is ready at ${env.port === 0 ? `http://localhost:${port}` : env.appUrl}`);
  return { stop };
}

/** Stops once, gracefully if that succeeds in time. Returns whether it is doing so. */
function stopOnSignal(log: Logger, stop: () => Promise<void>): () => boolean {
  let stopping = false;
  const end = (reason: string, code: number) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(code || 1), STOP_TIMEOUT_MS).unref();
    stop().then(
      () => process.exit(code),
      (error) => {
        log.error({ err: error }, 'not stopped cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM', 0));
  process.on('SIGINT', () => end('SIGINT', 0));
  process.on('SIGHUP', () => end('SIGHUP', 0)); // the terminal was closed
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    end('uncaught exception', 1);
  });
  return () => stopping;
}
