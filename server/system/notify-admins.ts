import type { Problem } from '#contract/system/problems.ts';
import type { Db } from '#server/kit/db/db.ts';
import { insertNotifications } from '#server/notifications/notifications.sql.ts';
import { listActiveAdmins } from '#server/users/users.sql.ts';

export async function notifyAdmins(tx: Db, problems: Problem[]): Promise<void> {
  if (!problems.length) return;
  const admins = await listActiveAdmins(tx);
  await insertNotifications(
    tx,
    // The most urgent last, so that it is the newest.
    problems
      .toReversed()
      .flatMap(({ title, message }) =>
        admins.map((admin) => ({ userId: admin.id, type: 'system_problem' as const, title, message })),
      ),
  );
}
