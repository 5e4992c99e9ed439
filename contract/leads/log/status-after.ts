import type { ActivityOutcome } from '#contract/leads/follow-ups/follow-up.ts';
import { isClosed, type LeadStatus } from '#contract/leads/lead.ts';

/** The status of a lead after a contact with this outcome; `planned`: whether a next step is planned along with it. */
export function statusAfter(outcome: ActivityOutcome, status: LeadStatus, planned: boolean): LeadStatus {
  if (outcome === 'not_interested') return 'closed_lost';
  if (isClosed(status)) return status;
  switch (outcome) {
    case 'no_answer':
    case 'left_message':
      return status === 'new' && planned ? 'recontact' : status;
    case 'spoke':
      return status === 'new' || status === 'recontact' ? 'in_progress' : status;
    case 'call_back':
      return 'recontact';
    case 'wrong_number':
      return status;
  }
}
