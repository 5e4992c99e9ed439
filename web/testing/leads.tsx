import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { getSettings } from '#contract/auth/auth.calls.ts';
import type { Activity, Assignment, Lead, LeadBusiness, LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { listAllTags } from '#contract/leads/lead-lists.calls.ts';
import { getAssignmentHistory, getLead, openLead } from '#contract/leads/leads.calls.ts';
import type { OwnUser, Role } from '#contract/users/user.ts';
import { deleteDrafts } from '#web/kit/drafts.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { LeadScreen } from '#web/leads/profile/LeadScreen.tsx';
import { ada, fakeServer, SETTINGS, show } from './fake-server.tsx';

export const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

/** Who holds the lead in these tests. */
export const priya: OwnUser = { ...ada, id: 7, username: 'priya', fullName: 'Priya Shah', role: 'user' };
export const someone = (role: Role): OwnUser => ({ ...ada, id: 9, username: 'someone', fullName: 'Sam One', role });

export const bakery: LeadBusiness = {
  id: 31,
  placeId: 'place-31',
  name: 'Blue Door Bakery',
  formattedAddress: '12 Mill Lane, York YO1 7AB, UK',
  phone: '020 7946 0018',
  website: 'https://bluedoor.example',
  latitude: null,
  longitude: null,
  googleMapsUrl: null,
};

export const lead: Lead = {
  id: 5,
  uuid: UUID,
  userId: priya.id,
  businessId: bakery.id,
  status: 'new',
  viewed: true,
  archived: false,
  archivedAt: null,
  existingCustomer: false,
  existingCustomerAt: null,
  // Past midnight in London, not yet in Greenwich: the team's calendar decides.
  assignedAt: '2026-06-30T23:30:00.000Z',
  lastContactedAt: null,
  notes: '',
  notesVersion: 0,
  tags: [],
  customFields: {},
  createdAt: '2026-06-30T23:30:00.000Z',
  updatedAt: '2026-06-30T23:30:00.000Z',
};

export const anActivity = (given: Partial<Activity> & { id: number }): Activity => ({
  userBusinessId: lead.id,
  type: 'call',
  description: `Activity ${given.id}`,
  scheduledAt: null,
  completedAt: null,
  outcome: null,
  createdBy: priya.id,
  createdAt: '2026-07-02T09:05:00.000Z',
  updatedAt: '2026-07-02T09:05:00.000Z',
  ...given,
});

interface Given {
  business?: Partial<LeadBusiness>;
  lead?: Partial<Lead>;
  activities?: Activity[];
  /** Tags on other leads. */
  known?: string[];
}

export const aProfile = ({ business, lead: more, activities = [] }: Given = {}): LeadProfile => ({
  business: { ...bakery, ...business },
  userBusiness: { ...lead, ...more, contactActivities: activities },
  user: { id: priya.id, username: priya.username, fullName: priya.fullName },
});

interface Opening extends Given {
  as?: OwnUser;
  history?: Assignment[];
  name?: LeadRef;
}

export const serverWith = (given: Given = {}, history: Assignment[] = []) => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listAllTags, given.known ?? []);
  for (const form of ['byId', 'byUuid'] as const) {
    server.responds(getLead[form], aProfile(given));
    server.responds(getAssignmentHistory[form], history);
    server.responds(openLead[form], { ...lead, ...given.lead, viewed: true });
  }
  return server;
};

export const showLead = (as: OwnUser = priya, name: LeadRef = { id: lead.id }) =>
  show(<LeadScreen lead={name} />, { as });

/** Opens the profile on a server that knows the lead, in a tab in which nothing was typed before. */
export async function openProfile({ as = priya, history = [], name, ...given }: Opening = {}) {
  forgetTab();
  const server = serverWith(given, history);
  const view = showLead(as, name);
  await screen.findByRole('heading', { level: 1, name: given.business?.name ?? bakery.name });
  return { server, ...view };
}

export function forgetTab() {
  deleteDrafts();
  const shown = pageToasts.current();
  if (shown) pageToasts.dismiss(shown.id);
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const press = (name: string | RegExp) => userEvent.click(button(name));
export const openTab = (name: RegExp) => userEvent.click(screen.getByRole('tab', { name }));

/** Answers the browser's own question, and keeps what it asked. */
export function answering(response: boolean) {
  const asked: string[] = [];
  vi.stubGlobal('confirm', (question: string) => {
    asked.push(question);
    return response;
  });
  return asked;
}
