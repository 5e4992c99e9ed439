import { z } from 'zod';
import { line } from '#contract/fields.ts';
import type { ActivityType } from '#contract/leads/lead.ts';

/** The outcomes that every team has. The order is that of their digits: people know those by heart. */
export const STANDARD_OUTCOMES = [
  'no_answer',
  'left_message',
  'spoke',
  'call_back',
  'not_interested',
  'wrong_number',
  'interested',
  'owner_away',
  'met_owner',
  'shut',
] as const;

/** Room for outcomes of the team's own, of calls and of visits: each is free until an administrator names it. */
export const OWN_CALLS = ['own_call_1', 'own_call_2', 'own_call_3', 'own_call_4'] as const;
export const OWN_VISITS = ['own_visit_1', 'own_visit_2', 'own_visit_3', 'own_visit_4'] as const;
export const OWN_OUTCOMES = [...OWN_CALLS, ...OWN_VISITS] as const;
export type OwnOutcome = (typeof OWN_OUTCOMES)[number];

/** What came of a contact, in the order of the buttons. */
export const activityOutcome = z.enum([...STANDARD_OUTCOMES, ...OWN_OUTCOMES]);
export type ActivityOutcome = z.infer<typeof activityOutcome>;

/** What the leads without an outcome are called in reports. */
export const NO_OUTCOME_LABEL = 'No outcome logged';

const proposedDays = z.strictObject({
  /** From the day of the contact. */
  days: z
    .int('Please enter whole days')
    .min(0, 'Please enter 0 days or more')
    .max(365, 'A next step is proposed for at most 365 days ahead'),
  /** Days of the calendar move to the next working day where they end on a day off. */
  counted: z.enum(['working', 'calendar']),
});
export type ProposedDays = z.infer<typeof proposedDays>;

/** What a team may change about an outcome. */
export const outcomeRule = z.strictObject({
  label: line(30, 'A label').min(1, 'Please enter a label'),
  /** Whether the contact reached a person, which moves a new lead to In Progress. */
  reached: z.boolean(),
  /** Whether its button is shown. */
  offered: z.boolean(),
  /** When the next step is proposed for; null for none. */
  next: proposedDays.nullable(),
});
export type OutcomeRule = z.infer<typeof outcomeRule>;

export const outcomeRules = z
  .record(activityOutcome, outcomeRule)
  .refine(
    (rules) => activityOutcome.options.some((outcome) => rules[outcome].offered),
    'At least one outcome is offered',
  )
  .refine(
    (rules) => new Set(Object.values(rules).map(({ label }) => label.toLowerCase())).size === Object.keys(rules).length,
    'Two outcomes cannot have the same label',
  );
export type OutcomeRules = z.infer<typeof outcomeRules>;

const after = (days: number, counted: ProposedDays['counted']): ProposedDays => ({ days, counted });
const reached = { reached: true, offered: true };
const missed = { reached: false, offered: true };
const own = (label: string): OutcomeRule => ({ label, reached: true, offered: false, next: after(2, 'working') });

export const DEFAULT_OUTCOMES: OutcomeRules = {
  no_answer: { label: 'No answer', ...missed, next: after(1, 'working') },
  left_message: { label: 'Left message', ...missed, next: after(2, 'working') },
  spoke: { label: 'Spoke, not now', ...reached, next: after(14, 'calendar') },
  call_back: { label: 'Call back', ...reached, next: null },
  not_interested: { label: 'Not interested', ...reached, next: null },
  wrong_number: { label: 'Wrong number', ...missed, next: after(0, 'calendar') },
  interested: { label: 'Interested', ...reached, next: after(2, 'working') },
  owner_away: { label: 'Owner away', ...missed, next: after(3, 'working') },
  met_owner: { label: 'Met the owner', ...reached, next: after(2, 'working') },
  shut: { label: 'Shut', ...missed, next: after(1, 'working') },
  own_call_1: own('Own outcome 1 of a call'),
  own_call_2: own('Own outcome 2 of a call'),
  own_call_3: own('Own outcome 3 of a call'),
  own_call_4: own('Own outcome 4 of a call'),
  own_visit_1: own('Own outcome 1 of a visit'),
  own_visit_2: own('Own outcome 2 of a visit'),
  own_visit_3: own('Own outcome 3 of a visit'),
  own_visit_4: own('Own outcome 4 of a visit'),
};

const isOwn = (outcome: ActivityOutcome): outcome is OwnOutcome => OWN_OUTCOMES.some((each) => each === outcome);

/** An outcome of the team's own that no administrator has named: there is no such outcome yet. */
export const isFreeOutcome = (outcome: ActivityOutcome, rules: OutcomeRules) =>
  isOwn(outcome) && !rules[outcome].offered && rules[outcome].label === DEFAULT_OUTCOMES[outcome].label;

/** The defaults, beside the outcomes of the team's own, which have none. */
export const resetStandardOutcomes = (rules: OutcomeRules): OutcomeRules => ({
  ...rules,
  ...Object.fromEntries(STANDARD_OUTCOMES.map((outcome) => [outcome, DEFAULT_OUTCOMES[outcome]])),
});

interface Nature {
  /** Of the contact that it is logged as. */
  type: ActivityType;
  /** The next step is proposed for another part of the day than that of the contact. */
  otherPartOfDay?: true;
  /** Where the next step is not the same as the contact. */
  step?: { type: ActivityType; note: string };
}

/** What no team may change: the rest of the product counts on it. */
export const OUTCOME: Record<ActivityOutcome, Nature> = {
  no_answer: { type: 'call', otherPartOfDay: true },
  left_message: { type: 'call' },
  spoke: { type: 'call' },
  call_back: { type: 'call' },
  not_interested: { type: 'call' },
  wrong_number: { type: 'call', step: { type: 'note', note: 'Find the number' } },
  interested: { type: 'call' },
  owner_away: { type: 'meeting', otherPartOfDay: true },
  met_owner: { type: 'meeting' },
  shut: { type: 'meeting' },
  own_call_1: { type: 'call' },
  own_call_2: { type: 'call' },
  own_call_3: { type: 'call' },
  own_call_4: { type: 'call' },
  own_visit_1: { type: 'meeting' },
  own_visit_2: { type: 'meeting' },
  own_visit_3: { type: 'meeting' },
  own_visit_4: { type: 'meeting' },
};

/** After so many in a row the next one is proposed for a week later. */
export const UNANSWERED_IN_A_ROW = 3;
