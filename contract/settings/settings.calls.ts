import { z } from 'zod';
import { call } from '#contract/call.ts';
import { moment } from '#contract/fields.ts';
import { teamSettings } from './team-settings.ts';

/** Who changed a setting last; null while it is as Highstreet came. */
const change = z.strictObject({
  at: moment,
  /** Their name; null for a user who is deleted. */
  by: z.string().nullable(),
  /** Whether it was set back to its default. */
  reset: z.boolean(),
});

const settingsWithChanges = z.strictObject({
  settings: teamSettings,
  changes: z.record(teamSettings.keyof(), change.nullable()),
});
export type SettingChange = z.infer<typeof change>;

export const getTeamSettings = call({
  method: 'GET',
  path: '/api/team-settings',
  access: 'user',
  withoutSecondFactor: true,
  summary: "The team's settings, and who changed each last.",
  response: settingsWithChanges,
});

export const changeTeamSettings = call({
  method: 'PATCH',
  path: '/api/team-settings',
  access: 'admin',
  summary: "Changes some of the team's settings; null sets one back to its default. Audited.",
  body: z
    .strictObject({
      outcomes: teamSettings.shape.outcomes.nullable(),
      firstSteps: teamSettings.shape.firstSteps.nullable(),
      addingLeads: teamSettings.shape.addingLeads.nullable(),
      security: teamSettings.shape.security.nullable(),
      contactRules: teamSettings.shape.contactRules.nullable(),
    })
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'Please send a setting to change'),
  response: settingsWithChanges,
});
