import { z } from 'zod';
import { isBusinessType } from '../business-types/business-types.ts';
import { call } from '../call.ts';
import { moment, optionalUserId } from '../fields.ts';
import type { Viewer } from '../users/user.ts';

/** What is counted in a district. Archived leads are left out. */
export const coverageFigures = z.strictObject({
  /** Businesses of the local index of places. */
  known: z.number(),
  leads: z.number(),
  /** Leads with a contact, or with a status that is one. */
  contacted: z.number(),
  /** Leads in the status "Closed (Won)". */
  won: z.number(),
  /** Leads that are marked as existing customers. */
  customers: z.number(),
});
export type CoverageFigures = z.infer<typeof coverageFigures>;

const districtCoverage = z.strictObject({
  district: z.string(),
  ...coverageFigures.shape,
  /** When the district was last searched; null for never. */
  searchedAt: moment.nullable(),
});
export type DistrictCoverage = z.infer<typeof districtCoverage>;

const optional = z.string().optional();
const coverageQuery = z.object({
  type: optional
    .transform((value) => value || undefined)
    .refine((value) => value === undefined || isBusinessType(value), 'must be a business type of the search'),
  userId: optionalUserId,
});

/** Managers and admins see the whole team and each user, users themselves. */
export const canSeeCoverage = (viewer: Viewer, userId: number | undefined) =>
  viewer.role !== 'user' || userId === viewer.id;

/** Managers and admins start a recount. */
export const canRefreshCoverage = (viewer: Viewer) => viewer.role !== 'user';

export const getCoverage = call({
  method: 'GET',
  path: '/api/coverage',
  access: 'user',
  summary:
    'Known businesses, leads and contacts by postcode district, of all business types or one, of the team or a user.',
  query: coverageQuery,
  response: z.strictObject({
    /** The districts where anything is known. */
    districts: z.array(districtCoverage),
    /** Where the address has no postcode of a known district. */
    elsewhere: coverageFigures,
    /** When these figures were counted; null before the first time. */
    refreshedAt: moment.nullable(),
    /** How far counting them again is; null while it does not run. */
    refreshing: z.strictObject({ done: z.number(), total: z.number() }).nullable(),
  }),
  programs: 'unfenced',
});

export const refreshCoverage = call({
  method: 'POST',
  path: '/api/coverage/refresh',
  access: 'manager',
  summary: 'Starts counting the coverage again, unless it is being counted or was started so within the last minute.',
  response: z.strictObject({ message: z.string() }),
});
