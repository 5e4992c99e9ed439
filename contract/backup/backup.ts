import { z } from 'zod';

/** Each night, before a migration of the database, or when an administrator asks for one. */
export const backupKind = z.enum(['nightly', 'upgrade', 'manual']);
export type BackupKind = z.infer<typeof backupKind>;

/** The proof of a backup: it is restored into a scratch database and compared. */
export const proofState = z.enum(['waiting', 'running', 'passed', 'failed', 'skipped']);
export type ProofState = z.infer<typeof proofState>;
