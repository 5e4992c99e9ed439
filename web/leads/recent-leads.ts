import { z } from 'zod';
import { getUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';

const RECENT_KEY = 'recent-leads';
const MAX_RECENT = 8;

/** The uuids of the leads that this user opened last, the latest first. No names are stored in a browser. */
export const readRecentLeads = (userId: number): string[] =>
  z.array(z.string()).max(MAX_RECENT).catch([]).parse(getUserItem(userId, RECENT_KEY));

export function addRecentLead(userId: number, uuid: string) {
  const others = readRecentLeads(userId).filter((other) => other !== uuid);
  setUserItem(userId, RECENT_KEY, [uuid, ...others].slice(0, MAX_RECENT));
}

/** For a lead that is gone or not the viewer's any more. */
export function removeRecentLead(userId: number, uuid: string) {
  const others = readRecentLeads(userId).filter((other) => other !== uuid);
  setUserItem(userId, RECENT_KEY, others);
}
