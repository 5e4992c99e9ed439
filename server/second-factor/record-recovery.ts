import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';

const NOTICE_TTL_MINUTES = 24 * 60;

/** In the log, and by e-mail to the user: another person may have found the codes. */
export async function recordRecovery(tx: Db, id: number, ip: string): Promise<void> {
  await audit(tx, { event: 'recovery_code_used', actorId: id, subject: { type: 'user', id }, ip });
  await enqueueMail(tx, { kind: 'recovery_code_used', userId: id, ttlMinutes: NOTICE_TTL_MINUTES });
}
