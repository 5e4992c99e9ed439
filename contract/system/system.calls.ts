import { z } from 'zod';
import { currentPassword } from '../account/proof.calls.ts';
import { call } from '../call.ts';
import { moment } from '../fields.ts';
import { problem } from './problems.ts';
import { systemFacts } from './system.ts';

const systemStatus = z.strictObject({
  ...systemFacts.shape,
  /** The most urgent first. */
  problems: z.array(
    z.strictObject({
      ...problem.shape,
      /** When it was noticed; null in its first minute. */
      since: moment.nullable(),
    }),
  ),
});
export type SystemStatus = z.infer<typeof systemStatus>;

export const getSystem = call({
  method: 'GET',
  path: '/api/system',
  access: 'admin',
  summary: 'The state of this installation: version, database, backups, disk, e-mail, jobs, and what needs hands.',
  response: systemStatus,
  polled: true,
});

export const startBackup = call({
  method: 'POST',
  path: '/api/system/backups',
  access: 'admin',
  summary: 'Makes a backup now, and then tries out whether it can be restored.',
  response: z.undefined(),
  success: 204,
});

export const downloadBackup = call({
  method: 'POST',
  path: '/api/system/backups/:backupId/download',
  access: 'admin',
  summary: "The file of a backup, for the viewer's password. A wrong one counts as a failed sign-in.",
  params: z.object({ backupId: z.uuid() }),
  body: z.object({ password: currentPassword }),
  // A file, streamed from the disk.
  response: z.string(),
  limit: 'export',
});
