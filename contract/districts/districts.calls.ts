import { z } from 'zod';
import { call } from '../call.ts';

const districtInfo = z.strictObject({
  code: z.string(),
  /** Of its centre. */
  latitude: z.number(),
  longitude: z.number(),
  /** Empty where none is named. */
  town: z.string(),
  region: z.string(),
});
export type DistrictInfo = z.infer<typeof districtInfo>;

export const listDistricts = call({
  method: 'GET',
  path: '/api/districts',
  access: 'user',
  summary: 'Every postcode district of the United Kingdom with the position of its centre. May be cached for a week.',
  response: z.array(districtInfo),
  programs: 'all',
});
