import { Refusal } from '#contract/errors.ts';
import { canCommentOnLead, canDeleteComment } from '#contract/leads/comments/comment-policy.ts';
import * as calls from '#contract/leads/comments/comments.calls.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import type { App, Deps } from '#server/deps.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { requireLockedLead } from '#server/leads/require-lead.ts';
import { serveLead } from '#server/leads/serve-lead.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { withdrawCommentNotifications } from '#server/notifications/notifications.sql.ts';
import { addComment } from './add-comment.ts';
import { deleteComment, findComment } from './comments.sql.ts';

export function commentRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.addComment, ({ leadRef, body, ...ctx }) =>
    db.transaction((tx) =>
      runOnce(tx, ctx, async () => {
        const lead = await requireLockedLead(tx, leadRef, ctx, canCommentOnLead);
        return addComment(tx, lead, body().text, { viewer: ctx.viewer, now: clock() });
      }),
    ),
  );

  serve(app, guard, calls.deleteComment, ({ params: { commentId }, body, ...ctx }) =>
    db.transaction(async (tx) => {
      const comment = await findComment(tx, commentId);
      if (!comment) throw noComment();
      const lead = await requireLockedLead(tx, { id: comment.userBusinessId }, ctx, canSeeLead);
      if (!canDeleteComment(ctx.viewer, comment)) {
        throw new Refusal('forbidden', 'Only its author or an admin can delete a comment');
      }
      body();
      await withdrawCommentNotifications(tx, commentId);
      if (!(await deleteComment(tx, commentId))) throw noComment();
      await publishLeads(tx, [lead]);
      return { message: 'Comment deleted' };
    }),
  );
}

const noComment = () => new Refusal('not_found', 'This comment no longer exists');
