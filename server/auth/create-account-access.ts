import { Refusal } from '#contract/errors.ts';
import type { Db } from '#server/kit/db/db.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import type { AccountAccess } from '#server/users/account-access.ts';
import { refuseCommonIfAsked } from './common-passwords.ts';
import { dropDeviceKeys } from './devices/device-keys.sql.ts';
import type { Passwords } from './passwords.ts';
import { invalidateResetTokens } from './reset-tokens.sql.ts';
import type { SessionCookie } from './sessions/session-cookie.ts';
import type { SessionLookups } from './sessions/session-lookups.ts';
import { deleteUserSessions, lockSession, rotateSession } from './sessions/sessions.sql.ts';

interface Options {
  db: Db;
  passwords: Passwords;
  cookie: SessionCookie;
  lookups: SessionLookups;
  endTokens: (tx: Db, userId: number) => Promise<void>;
}

export function createAccountAccess({ db, passwords, cookie, lookups, endTokens }: Options): AccountAccess {
  return {
    hashPassword: passwords.hash,
    refuseCommonPassword: (password, path) => refuseCommonIfAsked(db, password, path),
    requireSession: async (tx, request) => {
      const id = cookie.read(request);
      if (!id || !(await lockSession(tx, id))) throw new Refusal('not_authenticated', 'Please sign in');
    },
    endAccess: async (tx, userId) => {
      await deleteUserSessions(tx, userId);
      await endTokens(tx, userId);
    },
    dropDeviceKeys,
    endOtherSessions: async (tx, userId, request) => {
      const currentId = cookie.read(request);
      const { secret, hash } = newSecret();
      await deleteUserSessions(tx, userId, currentId);
      if (currentId) await rotateSession(tx, currentId, hash);
      const { sessionDays } = (await readTeamSettings(tx)).security;
      return (reply) => {
        cookie.write(reply, secret, sessionDays);
        lookups.markValid(hash);
      };
    },
    invalidateResetTokens,
  };
}
