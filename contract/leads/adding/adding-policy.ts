import { Refusal } from '#contract/errors.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { AddingRules } from './adding-rules.ts';

/** Who may add businesses and take those that are not assigned. */
export const canAddLeads = (viewer: Pick<Viewer, 'role'>, rules: Pick<AddingRules, 'allowed'>) =>
  viewer.role === 'admin' || rules.allowed;

/** Administrators add for anyone, others for themselves. */
export const canAddFor = (viewer: Viewer, holderId: number) => viewer.role === 'admin' || viewer.id === holderId;

export function requireMayAdd(viewer: Viewer, rules: Pick<AddingRules, 'allowed'>) {
  if (canAddLeads(viewer, rules)) return;
  throw new Refusal('adding_not_allowed', 'In your team, administrators add leads. Please ask one of them.');
}

interface Addition {
  rules: AddingRules;
  holderId: number;
  /** How many the viewer has added and taken today. */
  addedToday: number;
  /** Of the business; null where it is not known. */
  district: string | null;
  /** The districts of the viewer; empty where they have no territory. */
  territory: readonly string[];
}

/** Refuses what the viewer may not add. Administrators are not limited. */
export function requireAddition(viewer: Viewer, { rules, holderId, addedToday, district, territory }: Addition) {
  requireMayAdd(viewer, rules);
  if (!canAddFor(viewer, holderId)) {
    throw new Refusal('forbidden', 'You can add businesses for yourself only');
  }
  if (viewer.role === 'admin') return;
  if (addedToday >= rules.perDay) {
    throw new Refusal('too_many_added', `You have added ${addedToday} today, as many as your team allows in a day`);
  }
  if (!rules.inTerritory || territory.length === 0) return;
  if (district === null) {
    throw new Refusal('outside_territory', 'You add in your territory only: please enter the postcode', {
      errors: [{ path: 'postcode', message: 'Please enter the postcode' }],
    });
  }
  if (territory.includes(district)) return;
  throw new Refusal('outside_territory', `${district} is not in your territory`, {
    errors: [{ path: 'postcode', message: `${district} is not in your territory` }],
  });
}
