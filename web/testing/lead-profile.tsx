import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { FollowUp } from '#contract/leads/follow-ups/follow-up.ts';
import { getFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { Activity, Assignment, Lead, LeadBusiness, LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { listAllTags } from '#contract/leads/lead-lists.calls.ts';
import { getAssignmentHistory, getLead, markViewedOnProfile } from '#contract/leads/leads.calls.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import type { TeamSettings } from '#contract/settings/team-settings.ts';
import type { OwnUser, Role } from '#contract/users/user.ts';
import { deleteDrafts } from '#web/kit/storage/drafts.ts';
import { LeadScreen } from '#web/leads/profile/LeadScreen.tsx';
import { fakeServer } from './fake-server.ts';
import { aBusiness, aLead, aUser, SETTINGS, TEAM_SETTINGS } from './fixtures.ts';
import { dismissToast, show } from './show.tsx';

export const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

/** The holder of the lead. */
export const priya = aUser({ id: 7, username: 'priya', fullName: 'Priya Shah' });
/** A user who does not hold the lead. */
export const otherUser = (role: Role) => aUser({ id: 9, username: 'someone', fullName: 'Sam One', role });

export const bakery = aBusiness(31, {
  id: 31,
  name: 'Blue Door Bakery',
  formattedAddress: '12 Mill Lane, York YO1 7AB, UK',
  phone: '020 7946 0018',
  website: 'https://bluedoor.example',
});

export const lead = aLead(5, {
  uuid: UUID,
  userId: priya.id,
  businessId: bakery.id,
  // July 1 in London, June 30 in UTC: dates are shown in the team's time zone.
  assignedAt: '2026-06-30T23:30:00.000Z',
});

export const anActivity = (activity: Partial<Activity> & { id: number }): Activity => ({
  userBusinessId: lead.id,
  type: 'call',
  description: `Activity ${activity.id}`,
  scheduledAt: null,
  completedAt: null,
  outcome: null,
  createdBy: priya.id,
  createdAt: '2026-07-02T09:05:00.000Z',
  updatedAt: '2026-07-02T09:05:00.000Z',
  ...activity,
});

interface ProfileData {
  business?: Partial<LeadBusiness>;
  lead?: Partial<Lead>;
  activities?: Activity[];
  followUp?: FollowUp;
  /** Tags on other leads. */
  knownTags?: string[];
  teamSettings?: TeamSettings;
  ownFields?: OwnField[];
}

export const aProfile = ({ business, lead: changes, activities = [] }: ProfileData = {}): LeadProfile => ({
  business: { ...bakery, ...business },
  userBusiness: { ...lead, ...changes, contactActivities: activities },
  user: { id: priya.id, username: priya.username, fullName: priya.fullName },
});

export function profileServer(data: ProfileData = {}, history: Assignment[] = []) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listAllTags, data.knownTags ?? []);
  if (data.ownFields) server.responds(listOwnFields, { fields: data.ownFields });
  if (data.teamSettings) server.responds(getTeamSettings, { ...TEAM_SETTINGS, settings: data.teamSettings });
  for (const form of ['byId', 'byUuid'] as const) {
    server.responds(getLead[form], aProfile(data));
    server.responds(getAssignmentHistory[form], history);
    server.responds(getFollowUp[form], { followUp: data.followUp ?? null });
    server.responds(markViewedOnProfile[form], { ...lead, ...data.lead, viewed: true });
  }
  return server;
}

export const showLead = (as: OwnUser = priya, leadRef: LeadRef = { id: lead.id }) =>
  show(<LeadScreen leadRef={leadRef} />, { as });

interface OpenOptions extends ProfileData {
  as?: OwnUser;
  history?: Assignment[];
  leadRef?: LeadRef;
}

/** Opens the profile on a server that has the lead, in a tab without drafts. */
export async function openProfile({ as = priya, history = [], leadRef, ...data }: OpenOptions = {}) {
  clearTab();
  const server = profileServer(data, history);
  const view = showLead(as, leadRef);
  await screen.findByRole('heading', { level: 1, name: data.business?.name ?? bakery.name });
  return { server, ...view };
}

export function clearTab() {
  deleteDrafts();
  dismissToast();
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const press = (name: string | RegExp) => userEvent.click(button(name));
export const openTab = (name: RegExp) => userEvent.click(screen.getByRole('tab', { name }));

/** Stubs `window.confirm`. Returns the questions it was called with. */
export function stubConfirm(accepted: boolean) {
  const questions: string[] = [];
  vi.stubGlobal('confirm', (question: string) => {
    questions.push(question);
    return accepted;
  });
  return questions;
}
