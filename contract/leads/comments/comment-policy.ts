import type { Viewer } from '../../users/user.ts';
import { canSeeLead, type LeadPolicy } from '../lead-policy.ts';

export const canCommentOnLead = canSeeLead;

/** The holder knows how it is going. */
export const canAskForUpdate: LeadPolicy = (viewer, lead) =>
  canCommentOnLead(viewer, lead) && lead.userId !== viewer.id;

/** Of a comment on a lead that the viewer may see. The author is null once the account is deleted. */
export const canDeleteComment = (viewer: Viewer, comment: { createdBy: number | null }) =>
  comment.createdBy === viewer.id || viewer.role === 'admin';
