import type { Viewer } from '../users/user.ts';

interface Held {
  userId: number;
}

export type LeadPolicy = (viewer: Viewer, lead: Held) => boolean;

const holds: LeadPolicy = (viewer, lead) => lead.userId === viewer.id;

export const canSeeLead: LeadPolicy = (viewer, lead) => holds(viewer, lead) || viewer.role !== 'user';
export const canChangeLead: LeadPolicy = (viewer, lead) => holds(viewer, lead) || viewer.role === 'admin';
export const canReassignLead = canSeeLead;
