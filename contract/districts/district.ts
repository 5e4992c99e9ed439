import { z } from 'zod';

/** The outward code of a postcode, such as "LS1". */
export const DISTRICT = /^[A-Z]{1,2}[0-9][A-Z0-9]?$/;

const code = z.string().trim().toUpperCase();
export const district = code.regex(DISTRICT, 'must be a postcode district, such as LS1');

/** A district, or a whole area: "LS" is all districts of Leeds. */
export const districtOrArea = code.regex(
  /^[A-Z]{1,2}([0-9][A-Z0-9]?)?$/,
  'must be a postcode district or area, such as LS1 or LS',
);

/** The letters of a district: "LS1" is in the area "LS". */
export const areaOf = (district: string) => district.replace(/[0-9].*$/, '');
