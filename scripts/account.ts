import { resetAccount } from '#server/account/reset-account.ts';
import { RESET_LINK_MINUTES } from '#server/auth/reset-tokens.sql.ts';
import { openForCommand } from '#server/kit/db/open-configured.ts';
import { createLog } from '#server/kit/log.ts';
import { readDirectEnv, runAndExit, withDatabase } from './command-line.ts';

const [command, name, ...others] = process.argv.slice(3);
if (command !== 'reset' || !name || others.length) {
  console.error('Usage: npm run account -- reset USERNAME-OR-EMAIL');
  process.exit(1);
}

await runAndExit('The account was not reset', async () => {
  const env = readDirectEnv();
  const database = await openForCommand(env, { log: createLog('error') });
  const link = await withDatabase(database, ({ db }) => resetAccount(db, name, env.appUrl));
  if (!link) throw new Error(`there is no account "${name}"`);
  console.log('The account is active and unlocked, its sessions have ended, and its second factors are removed.');
  console.log(`To choose a password, open this link within ${RESET_LINK_MINUTES} minutes:\n${link}`);
});
