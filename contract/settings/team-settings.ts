import { z } from 'zod';
import { DEFAULT_SECURITY, securityRules } from '#contract/auth/security-rules.ts';
import { contactRules, DEFAULT_CONTACT_RULES } from '#contract/contact-rules/contact-rules.ts';
import { addingRules, DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import { DEFAULT_OUTCOMES, outcomeRules } from '#contract/leads/log/outcomes.ts';

/** What an administrator decides for the team while Highstreet runs, by name. The environment has what an operator decides. */
export const teamSettings = z.strictObject({
  outcomes: outcomeRules,
  addingLeads: addingRules,
  security: securityRules,
  contactRules,
  /** Of the checklist of a new team. */
  firstSteps: z.strictObject({
    /** Whether an administrator looked at Today. */
    today: z.boolean(),
    dismissed: z.boolean(),
  }),
});
export type TeamSettings = z.infer<typeof teamSettings>;

const teamSetting = teamSettings.keyof();
export type TeamSetting = z.infer<typeof teamSetting>;
export const TEAM_SETTINGS = teamSetting.options;

export const DEFAULT_TEAM_SETTINGS: TeamSettings = {
  outcomes: DEFAULT_OUTCOMES,
  addingLeads: DEFAULT_ADDING,
  security: DEFAULT_SECURITY,
  contactRules: DEFAULT_CONTACT_RULES,
  firstSteps: { today: false, dismissed: false },
};
