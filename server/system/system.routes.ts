import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Refusal } from '#contract/errors.ts';
import { downloadBackup, getSystem, startBackup as startBackupCall } from '#contract/system/system.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import { verifyOwner } from '#server/auth/confirm-password.ts';
import type { SessionCookie } from '#server/auth/sessions/session-cookie.ts';
import { acceptPassword, type PasswordDeps } from '#server/auth/verify-password.ts';
import { BACKUP, startBackup } from '#server/backup/backup-job.ts';
import { findBackup } from '#server/backup/backups.sql.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import type { System } from './create-system.ts';

interface SystemDeps extends Deps, PasswordDeps {
  system: System;
  cookie: SessionCookie;
}

export function systemRoutes(app: App, { db, env, guard, jobs, system, passwords, nameKey, cookie }: SystemDeps) {
  serve(app, guard, getSystem, () => system.readStatus(db));

  serve(app, guard, startBackupCall, async ({ viewer, ip, body }) => {
    body();
    await db.transaction(async (tx) => {
      await startBackup(tx);
      await audit(tx, { event: 'backup_started', actorId: viewer.id, ip });
    });
    void jobs.run(BACKUP);
    return undefined;
  });

  mount(app, guard, downloadBackup, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the guard lets only signed-in users through
    const { params, body, ip } = readRequest(downloadBackup, request);
    const backup = await findBackup(db, params.backupId);
    if (!backup?.finishedAt || backup.error) throw new Refusal('not_found', 'This backup no longer exists');
    const sessionId = cookie.read(request);
    await acceptPassword(db, await verifyOwner({ db, env, passwords, nameKey }, { viewer, ...body(), ip, sessionId }));
    const name = basename(backup.file);
    const path = join(env.backupDir, name);
    const size = await readSize(path);
    await audit(db, { event: 'backup_downloaded', actorId: viewer.id, ip, details: { backupId: backup.id } });
    return reply
      .type('application/octet-stream')
      .header('content-length', size)
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(createReadStream(path));
  });
}

async function readSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Refusal('not_found', 'The file of this backup is not on this machine any more');
  }
}
