import { isClosed, type LeadStatus } from '#contract/leads/lead.ts';
import type { ActivityOutcome } from './outcomes.ts';

interface Contact {
  outcome: ActivityOutcome;
  /** Whether the team counts the outcome as reaching a person. */
  reached: boolean;
  /** Whether a next step is planned along with it. */
  planned: boolean;
}

/** The status of a lead after a contact. */
export function statusAfter(status: LeadStatus, { outcome, reached, planned }: Contact): LeadStatus {
  if (outcome === 'not_interested') return 'closed_lost';
  if (isClosed(status) || outcome === 'wrong_number') return status;
  if (outcome === 'call_back') return 'recontact';
  if (reached) return status === 'new' || status === 'recontact' ? 'in_progress' : status;
  return status === 'new' && planned ? 'recontact' : status;
}
