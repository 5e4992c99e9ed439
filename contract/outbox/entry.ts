import { z } from 'zod';

/** What can wait on a device until there is a connection. */
export const entryKind = z.enum([
  ...['log', 'activity', 'status', 'notes', 'detail', 'own-field', 'tag', 'remove-tag', 'plan', 'done', 'drop'],
  ...['phone', 'phone-right', 'website', 'business', 'check-in'],
] as const);
export type EntryKind = z.infer<typeof entryKind>;

const state = z.enum(['waiting', 'conflict', 'refused']);

/** A request that could not reach the server. It is stored as it is sent, so that a newer version of the product can send it. */
export const outboxEntry = z.object({
  /** Sorts by when it was made. */
  id: z.string(),
  idempotencyKey: z.string(),
  kind: entryKind,
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  /** With its parameters as `:name`. */
  path: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  body: z.record(z.string(), z.unknown()).optional(),
  madeAt: z.iso.datetime(),
  /** What it does, for its user. */
  title: z.string(),
  /** The lead that it changes; null for one that is new. */
  lead: z.object({ uuid: z.string(), name: z.string() }).nullable(),
  state,
  /** Why it was refused. */
  problem: z.string().optional(),
  /** What the server has instead, where another user was faster. */
  current: z.record(z.string(), z.unknown()).optional(),
  /** How often the server failed with it. */
  failures: z.number().optional(),
  /** Whether its user has changed it after it may have been sent. */
  edited: z.boolean().optional(),
});
export type OutboxEntry = z.infer<typeof outboxEntry>;

/** Where entries wait. */
export interface EntryStore {
  /** In the order in which they were made. */
  list: () => Promise<OutboxEntry[]>;
  get: (id: string) => Promise<OutboxEntry | undefined>;
  put: (entry: OutboxEntry) => Promise<void>;
  delete: (id: string) => Promise<void>;
}
