import type { Viewer } from '../users/user.ts';

interface Held {
  userId: number;
}

export type LeadPolicy = (viewer: Viewer, lead: Held) => boolean;

const holds: LeadPolicy = (viewer, lead) => lead.userId === viewer.id;

export const canSeeLead: LeadPolicy = (viewer, lead) => holds(viewer, lead) || viewer.role !== 'user';
export const canChangeLead: LeadPolicy = (viewer, lead) => holds(viewer, lead) || viewer.role === 'admin';
export const canReassignLead = canSeeLead;

/** Who may list the leads of all users. Listing changes nothing: what may be done with each is up to the policies above. */
export const canListTeam = (viewer: Viewer) => viewer.role !== 'user';

/** Whether a list has the leads of all users: for admins always, for managers on request. */
export const listsEveryLead = (viewer: Viewer, { team }: { team: boolean }) =>
  viewer.role === 'admin' || (team && canListTeam(viewer));
