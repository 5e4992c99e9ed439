import { audit } from '#server/audit/audit.ts';
import { insertResetToken, invalidateResetTokens } from '#server/auth/reset-tokens.sql.ts';
import { deleteUserSessions } from '#server/auth/sessions/sessions.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { deletePasskeys } from '#server/passkeys/passkeys.sql.ts';
import { users } from '#server/schema/users.ts';
import { deleteCodes } from '#server/second-factor/second-factor.sql.ts';
import { deleteUserTokens } from '#server/tokens/tokens.sql.ts';
import { clearFailures, matchesSignInName, setActive } from '#server/users/users.sql.ts';

/**
 * The way back in for who has the machine itself: unlocks and activates an account, ends its sessions and tokens, turns off its
 * one-time codes, removes its passkeys, and returns a link to choose a password. Undefined for an unknown name.
 */
export async function resetAccount(db: Db, name: string, appUrl: string): Promise<string | undefined> {
  const { secret, hash } = newSecret();
  return db.transaction(async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(matchesSignInName(name)).for('update');
    if (!user) return undefined;
    await setActive(tx, user.id, true);
    await clearFailures(tx, user.id);
    await deleteUserSessions(tx, user.id);
    await deleteUserTokens(tx, user.id);
    await deleteCodes(tx, user.id);
    await deletePasskeys(tx, user.id);
    await invalidateResetTokens(tx, user.id);
    await insertResetToken(tx, hash, user.id);
    await audit(tx, { event: 'account_reset', subject: { type: 'user', id: user.id } });
    return `${appUrl}/reset-password?token=${secret}`;
  });
}
