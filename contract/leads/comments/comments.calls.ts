import { z } from 'zod';
import { call } from '../../call.ts';
import { moment, pathId, text } from '../../fields.ts';
import { leadCall } from '../lead-call.ts';

export const MAX_COMMENT = 2_000;

/** The comment of "Ask for an update". */
export const ASK_FOR_UPDATE = 'Please tell me how this is going.';

const comment = z.strictObject({
  id: z.number(),
  userBusinessId: z.number(),
  text: z.string(),
  createdBy: z.number().nullable(),
  createdAt: moment,
});

export const addComment = leadCall({
  method: 'POST',
  resource: 'lead-comments',
  summary:
    'Comments on a lead that the viewer may see. Its holder is notified, and those who commented on it before and may still see it.',
  body: z.object({ text: text(MAX_COMMENT, 'Comment').trim().min(1, 'Please enter a comment') }),
  response: comment.extend({
    /** False where they wrote it themselves, or their account is not active. */
    holderNotified: z.boolean(),
  }),
  success: 201,
  idempotent: true,
  programs: 'all',
});

export const deleteComment = call({
  method: 'DELETE',
  path: '/api/lead-comments/:commentId',
  access: 'user',
  summary: 'Deletes a comment, with its notifications: its author or an admin.',
  params: z.object({ commentId: pathId }),
  response: z.strictObject({ message: z.string() }),
  programs: 'all',
});
