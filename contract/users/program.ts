import { z } from 'zod';

/** What a program may do with a token, at most what its user may do at that moment. Each includes the ones before. */
export const programRights = z.enum(['read', 'write', 'admin']);
export type ProgramRights = z.infer<typeof programRights>;

export const PROGRAM_RIGHTS_LABEL: Record<ProgramRights, string> = {
  read: 'Read',
  write: 'Read and change',
  admin: 'Read, change and administer',
};

/** A program that makes a request for a user, with a token of theirs. */
export interface Program {
  tokenId: string;
  /** As its user calls it. Changes keep it. */
  name: string;
  rights: ProgramRights;
  /** Limits it to the leads that its user holds. */
  ownLeads: boolean;
  /** Limits it to the leads of a saved view. Without that view it may do nothing: never more than before. */
  fence: Fence | LostFence | null;
}

/** The view is deleted, no longer shared, or of the reports; or it filters by a field that is gone. */
export type LostFence = 'view_gone' | 'field_gone';

/** The leads that a saved view lists at the moment of the request. */
export interface Fence {
  settings: Record<string, string>;
  now: Date;
  timeZone: string;
}

/**
 * Which programs may make a call: none, which is the default; those that are limited to no leads; those that no saved view
 * limits; all. A call is for all only where its SQL keeps to the view, and for unfenced ones only where that of a user does.
 */
export type ProgramAccess = 'none' | 'unlimited' | 'unfenced' | 'all';
