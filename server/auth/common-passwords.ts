import { Refusal } from '#contract/errors.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';

const MIN_LENGTH = 8;
const COUNT = 10_000;

let common: Promise<Set<string>> | undefined;

/** Of those that are long enough, the most common first. Loaded on first use: the list has 380 kB. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords = dictionary['passwords-common'].map(String).filter(({ length }) => length >= MIN_LENGTH);
  return new Set(passwords.slice(0, COUNT));
}

/** Refuses a password that is tried first by those who guess, however its letters are written. `path` is its field. */
export async function refuseCommon(password: string, path: string): Promise<void> {
  common ??= loadCommon();
  if (!(await common).has(password.toLowerCase())) return;
  const message = 'This password is one of the most common ones. Please choose another.';
  throw new Refusal('validation_failed', message, { errors: [{ path, message }] });
}

/** Of passwords that an administrator or a link sets: only where the team's rules want it. */
export async function refuseCommonIfAsked(db: Db, password: string, path: string): Promise<void> {
  if ((await readTeamSettings(db)).security.refuseCommonPasswords) await refuseCommon(password, path);
}
