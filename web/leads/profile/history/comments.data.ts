import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ResponseBody } from '#contract/call.ts';
import { ASK_FOR_UPDATE, addComment, deleteComment } from '#contract/leads/comments/comments.calls.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { send } from '#web/kit/api.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import type { ToastMessages } from '#web/kit/queries.ts';
import { deleteDraft, readDraft, useTextDraft } from '#web/kit/storage/drafts.ts';
import { sendLeadCall } from '#web/leads/leads.data.ts';
import { refetchTimeline } from './timeline.data.ts';

export const commentDraftKey = (uuid: string) => `${uuid}.comment`;

/** The comment in the form, stored as a draft until it is added. */
export function useCommentDraft(leadRef: LeadRef, uuid: string, viewerId: number) {
  const key = commentDraftKey(uuid);
  const [text, changeText] = useTextDraft(viewerId, key);
  const add = useAddComment(leadRef, { success: 'Comment added', errorTitle: 'Failed to add comment' });
  return {
    text,
    changeText,
    saving: add.isPending,
    save: async (body: { text: string }) => {
      await add.mutateAsync(body.text);
      // Text typed while the mutation was pending stays a draft.
      if (readDraft(viewerId, key)?.text.trim() === body.text) deleteDraft(viewerId, key);
    },
  };
}

/** Asks the holder with a comment, which notifies them. */
export function useAskForUpdate(leadRef: LeadRef, holder: string) {
  const add = useAddComment(leadRef, {
    success: ({ holderNotified }: ResponseBody<typeof addComment.byId>) => ({
      title: 'Asked for an update',
      description: holderNotified
        ? `${holder} is notified. The answer will be in your notifications.`
        : `${holder} is not notified: the account is not active.`,
    }),
    errorTitle: 'Failed to ask for an update',
  });
  return { busy: add.isPending, ask: () => add.mutate(ASK_FOR_UPDATE) };
}

function useAddComment(leadRef: LeadRef, toasts: ToastMessages) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  return useMutation({
    mutationFn: (text: string) =>
      sendLeadCall(addComment, leadRef, { body: { text } }, { idempotencyKey: idempotencyKey.keyFor({ text }) }),
    onSuccess: () => {
      idempotencyKey.reset();
      return refetchTimeline(queries);
    },
    meta: toasts,
  });
}

export function useDeleteComment() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (commentId: number) => send(deleteComment, { params: { commentId } }),
    // Where it was refused, somebody else may have deleted it.
    onSettled: () => refetchTimeline(queries),
    meta: { success: 'Comment deleted', errorTitle: 'Failed to delete comment' },
  });
}
