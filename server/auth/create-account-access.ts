import { newSecret } from '#server/kit/secrets.ts';
import type { AccountAccess } from '#server/users/account-access.ts';
import type { Passwords } from './passwords.ts';
import { invalidateResetTokens } from './reset-tokens.sql.ts';
import type { SessionCookie } from './sessions/session-cookie.ts';
import type { SessionLookups } from './sessions/session-lookups.ts';
import { deleteUserSessions, rotateSession } from './sessions/sessions.sql.ts';

interface Options {
  passwords: Passwords;
  cookie: SessionCookie;
  lookups: SessionLookups;
}

export function createAccountAccess({ passwords, cookie, lookups }: Options): AccountAccess {
  return {
    hashPassword: passwords.hash,
    endSessions: deleteUserSessions,
    endOtherSessions: async (tx, userId, request) => {
      const currentId = cookie.read(request);
      const { secret, hash } = newSecret();
      await deleteUserSessions(tx, userId, currentId);
      if (currentId) await rotateSession(tx, currentId, hash);
      return (reply) => {
        cookie.write(reply, secret);
        lookups.markValid(hash);
      };
    },
    invalidateResetTokens,
  };
}
