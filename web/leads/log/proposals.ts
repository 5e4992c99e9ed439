import type { FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import { isContact } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { type ActivityOutcome, OUTCOME } from '#contract/leads/log/outcomes.ts';
import { countUnanswered, proposeStep } from '#contract/leads/log/propose-step.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { formatDue } from '#web/leads/follow-ups/format-due.ts';
import { useLead } from '#web/leads/leads.data.ts';
import { useTeamSettings } from '#web/settings/settings.data.ts';
import type { NextChoice } from './NextStepChoice.tsx';

/** What each outcome plans for a lead, unless another next step is chosen. */
export function useProposals(leadRef: LeadRef) {
  const { outcomes: rules } = useTeamSettings();
  const { data: settings } = useSettings();
  const { data: profile } = useLead(leadRef);
  const contacts = profile?.userBusiness.contactActivities.filter(({ type }) => isContact(type)) ?? [];
  const unanswered = countUnanswered(contacts);

  const planNext = (outcome: ActivityOutcome, choice: NextChoice): FollowUpPlan | undefined => {
    if (choice === 'nothing' || outcome === 'not_interested') return undefined;
    if (choice !== 'proposed') return { type: OUTCOME[outcome].type, note: '', ...OUTCOME[outcome].step, ...choice };
    if (!settings) return undefined;
    const { timeZone, bankHolidays: region } = settings;
    return proposeStep(outcome, { rules, unanswered, now: new Date(), timeZone, region });
  };

  const describeNext = (outcome: ActivityOutcome, choice: NextChoice): string => {
    if (outcome === 'not_interested') return 'Closed (Lost)';
    const plan = planNext(outcome, choice);
    if (outcome === 'call_back' && !plan) return 'Choose when';
    if (!plan || !settings) return 'Nothing planned';
    return plan.note || formatDue(plan.at, new Date(), settings.timeZone);
  };

  return { rules, planNext, describeNext };
}
