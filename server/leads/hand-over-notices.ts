import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type NewNotification, SOURCE_NAME } from '#server/notifications/notifications.sql.ts';
import type { HandOver } from './hand-over.ts';
import { businessNames } from './leads.sql.ts';

/** What a user gained or lost by one call. */
interface Share {
  userId: number;
  type: 'lead_assigned' | 'lead_reassigned_to' | 'lead_reassigned_from';
  leads: Lead[];
}

const TITLE: Record<Share['type'], (what: string) => string> = {
  lead_assigned: (what) => `New ${what} assigned`,
  lead_reassigned_to: (what) => `${capitalised(what)} reassigned to you`,
  lead_reassigned_from: (what) => `${capitalised(what)} reassigned`,
};
const MESSAGE: Record<Share['type'], (what: string) => string> = {
  lead_assigned: (what) => `${SOURCE_NAME} assigned ${what} to you.`,
  lead_reassigned_to: (what) => `${SOURCE_NAME} assigned ${what} to you.`,
  lead_reassigned_from: (what) => `${SOURCE_NAME} reassigned ${what} to another user.`,
};

/** One notice to each user who gained or lost leads, whatever their number; a single lead is named and linked. */
export async function buildNotices(tx: Db, handOvers: HandOver[], viewer: Viewer): Promise<NewNotification[]> {
  const shares = toShares(handOvers, viewer);
  const single = shares.flatMap(({ leads }) => (leads.length === 1 ? leads : []));
  const names = await businessNames(tx, single);
  return shares.map(({ userId, type, leads }) => {
    const about = { userId, type, sourceUserId: viewer.id };
    const [first, second] = leads;
    if (!first || second) {
      const what = `${leads.length} businesses`;
      return { ...about, title: TITLE[type](what), message: MESSAGE[type](what) };
    }
    return {
      ...about,
      title: TITLE[type]('business'),
      message: MESSAGE[type](names.get(first.businessId) ?? 'a business'),
      relatedBusinessId: first.businessId,
      relatedUserBusinessId: first.id,
    };
  });
}

/** A viewer who gave leads away is not notified of it, one who took leads over is. */
function toShares(handOvers: HandOver[], viewer: Viewer): Share[] {
  const shares = new Map<string, Share>();
  const add = (userId: number, type: Share['type'], lead: Lead) => {
    const key = `${type} ${userId}`;
    const share = shares.get(key) ?? { userId, type, leads: [] };
    share.leads.push(lead);
    shares.set(key, share);
  };
  for (const { lead, previousUserId } of handOvers) {
    add(lead.userId, previousUserId === undefined ? 'lead_assigned' : 'lead_reassigned_to', lead);
    if (previousUserId === undefined || previousUserId === viewer.id) continue;
    add(previousUserId, 'lead_reassigned_from', lead);
  }
  return [...shares.values()];
}

const capitalised = (what: string) => what.charAt(0).toUpperCase() + what.slice(1);
