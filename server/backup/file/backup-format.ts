import { z } from 'zod';

// A backup is lines of JSON, compressed: a header, then for each table a line that names it and one array per row, with
// every value in PostgreSQL's text format, and at last the manifest. With a key, all of that is encrypted (encryption.ts).

/** Formats 1 and 2 are those of development versions before the first release. */
export const FORMAT = 3;

export const header = z.object({
  kind: z.literal('highstreet-backup'),
  format: z.number(),
  /** The newest migration of the database it was made from. */
  schema: z.number(),
  product: z.string(),
  createdAt: z.string(),
});
export type Header = z.infer<typeof header>;

export const tableLine = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  /** The next value of each identity column: ids of deleted rows must not be used again. */
  next: z.record(z.string(), z.string()),
});
export type TableLine = z.infer<typeof tableLine>;

export const manifest = z.object({
  manifest: z.object({
    counts: z.record(z.string(), z.number()),
    /** Of each table in the snapshot that was written: a restored copy must have the same. */
    fingerprints: z.record(z.string(), z.string()),
    /** Of every line before this one. */
    sha256: z.string(),
  }),
});
export type Manifest = z.infer<typeof manifest>['manifest'];

/** What a backup is known to hold before it is restored. */
export interface Contents extends Pick<Manifest, 'counts' | 'fingerprints'> {
  header: Header;
}

/** An error to show to the operator. Nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}
