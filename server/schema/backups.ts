import { bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { BackupKind, ProofState } from '#contract/backup/backup.ts';
import { moment, now } from '#server/kit/db/columns.ts';

/** The backups that the product made by itself. A row goes with its file. */
export const backups = pgTable('backups', {
  id: uuid().primaryKey(),
  kind: text().$type<BackupKind>().notNull(),
  /** Its name in BACKUP_DIR. */
  file: text().notNull(),
  startedAt: moment().notNull().default(now),
  finishedAt: moment(),
  bytes: bigint({ mode: 'number' }),
  rows: bigint({ mode: 'number' }),
  schema: integer(),
  encrypted: boolean().notNull().default(false),
  error: text(),
  proof: text().$type<ProofState>().notNull().default('waiting'),
  proofMessage: text(),
  proofStartedAt: moment(),
  proofFinishedAt: moment(),
  proofMs: integer(),
});
