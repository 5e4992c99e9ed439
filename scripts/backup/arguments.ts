import { join, resolve } from 'node:path';
import { type Env, readEnv, withEnvFile } from '#server/kit/env.ts';
import { ROOT } from '#server/paths.ts';

/** What was asked for on the command line, after the name of the program. */
export function readArguments(usage: string): { file: string; replace: boolean } {
  const words = process.argv.slice(3);
  const files = words.filter((word) => !word.startsWith('-'));
  const [file] = files;
  const strange = words.filter((word) => word.startsWith('-') && word !== '--replace');
  if (!file || files.length > 1 || strange.length) {
    console.error(`Use it as: ${usage}`);
    process.exit(1);
  }
  // npm runs in the folder of package.json; the file is meant from where it was called.
  return { file: resolve(process.env.INIT_CWD ?? '.', file), replace: words.includes('--replace') };
}

/** What these programs do takes long transactions and settings of its own, so they go past a pooler. */
export function environment(): Env {
  const env = readEnv(withEnvFile(join(ROOT, '.env'), process.env));
  return { ...env, databaseUrl: env.databaseDirectUrl ?? env.databaseUrl, databaseDirectUrl: undefined };
}

/** Runs to the end and says in one sentence why not. */
export async function orExplain(what: string, work: () => Promise<void>): Promise<never> {
  try {
    await work();
  } catch (error) {
    console.error(`${what}: ${(error as Error).message}`);
    process.exit(1);
  }
  process.exit(0);
}
