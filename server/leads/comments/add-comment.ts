import type { Lead } from '#contract/leads/lead.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businessNames } from '#server/leads/leads.sql.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { insertNotifications, SOURCE_NAME } from '#server/notifications/notifications.sql.ts';
import { insertComment, listParticipants } from './comments.sql.ts';

/** What a notification shows of a comment. */
const MAX_SHOWN = 200;

/** Comments on a locked lead, and notifies its holder and all who commented before and may still see it. */
export async function addComment(tx: Db, lead: Lead, text: string, { viewer, now }: { viewer: Viewer; now: Date }) {
  const comment = await insertComment(tx, {
    userBusinessId: lead.id,
    text,
    createdBy: viewer.id,
    program: viewer.program?.name ?? null,
    createdAt: now.toISOString(),
  });
  const name = (await businessNames(tx, [lead])).get(lead.businessId) ?? '';
  const readers = (await listParticipants(tx, lead)).filter((user) => user.id !== viewer.id && canSeeLead(user, lead));
  await insertNotifications(
    tx,
    readers.map(({ id }) => ({
      userId: id,
      type: 'lead_comment',
      title: `New comment on ${name}`,
      message: `${SOURCE_NAME}: ${shorten(text)}`,
      relatedBusinessId: lead.businessId,
      relatedUserBusinessId: lead.id,
      sourceUserId: viewer.id,
      commentId: comment.id,
    })),
  );
  await publishLeads(tx, [lead]);
  return { ...comment, holderNotified: readers.some(({ id }) => id === lead.userId) };
}

const shorten = (text: string) => {
  const characters = [...text];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : text;
};
