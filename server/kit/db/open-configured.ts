import type { Env } from '#server/kit/env.ts';
import type { Log } from '#server/kit/log.ts';
import { type BuiltIn, joinOrStartBuiltIn, openBuiltInAlone, startBuiltIn } from './built-in/built-in.ts';
import { type Database, type OpenOptions, openDatabase } from './open.ts';

type Configured = Pick<Env, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir' | 'postgresBin'>;
type Options = Omit<OpenOptions, 'databaseUrl' | 'databaseDirectUrl'> & { log: Log };

/** The database of the environment: that of DATABASE_URL or, without it, the built-in one, which is started. */
export async function openConfigured(env: Configured, options: Options): Promise<Database> {
  if (env.databaseUrl) return openDatabase({ ...env, databaseUrl: env.databaseUrl, ...options });
  return openOn(await startBuiltIn({ ...env, log: options.log }), options);
}

/** The same for a command; while the product runs, both use its server. */
export async function openForCommand(env: Configured, options: Options): Promise<Database> {
  if (env.databaseUrl) return openDatabase({ ...env, databaseUrl: env.databaseUrl, ...options });
  return openOn(await joinOrStartBuiltIn({ ...env, log: options.log }), options);
}

/** The same for a command that no product may run beside. Of several processes on a DATABASE_URL, the operator stops all. */
export async function openAlone(env: Configured, options: Options): Promise<Database> {
  if (env.databaseUrl) return openDatabase({ ...env, databaseUrl: env.databaseUrl, ...options });
  return openOn(await openBuiltInAlone({ ...env, log: options.log }), options);
}

/** The server alone, for a command that opens its database more than once. */
export async function openServerAlone(env: Configured, log: Log): Promise<Pick<BuiltIn, 'databaseUrl' | 'close'>> {
  if (env.databaseUrl) return { databaseUrl: env.databaseUrl, close: async () => {} };
  return openBuiltInAlone({ ...env, log });
}

async function openOn({ close, ...server }: BuiltIn, options: Options): Promise<Database> {
  try {
    const database = await openDatabase({ ...server, ...options });
    return { ...database, close: () => database.close().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}
