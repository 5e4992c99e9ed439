import { z } from 'zod';
import { districtOrArea } from '../districts/district.ts';
import { bodyId } from '../fields.ts';
import type { Viewer } from '../users/user.ts';

/** The districts of a user. */
export const territory = z.strictObject({
  userId: z.number(),
  fullName: z.string(),
  username: z.string(),
  /** An inactive user keeps the territory, and gets no leads. */
  active: z.boolean(),
  districts: z.array(z.string()),
});
export type Territory = z.infer<typeof territory>;

/** A district of several active users. */
export const overlap = z.strictObject({ district: z.string(), userIds: z.array(z.number()) });
type Overlap = z.infer<typeof overlap>;

/** Managers and admins see the territories of everyone, users their own. */
export const canSeeAllTerritories = (viewer: Viewer) => viewer.role !== 'user';

/** More than there are districts. */
export const MAX_DISTRICTS = 3_000;

const codes = z.array(districtOrArea).max(MAX_DISTRICTS).default([]);

/** Districts, or whole areas, that a user gets or loses. */
export const territoryChange = z.strictObject({ userId: bodyId(), add: codes, remove: codes });
export type TerritoryChange = z.infer<typeof territoryChange>;

/** By district, in the order of the territories. */
export function findOwners(territories: readonly Territory[]): Map<string, number[]> {
  const owners = new Map<string, number[]>();
  for (const { userId, districts } of territories) {
    for (const district of districts) owners.set(district, [...(owners.get(district) ?? []), userId]);
  }
  return owners;
}

export const findOverlaps = (territories: readonly Territory[]): Overlap[] =>
  [...findOwners(territories.filter(({ active }) => active))].flatMap(([district, userIds]) =>
    userIds.length > 1 ? [{ district, userIds }] : [],
  );
