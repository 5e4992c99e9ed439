import { type DuplicateReason, MATCH_SCORE } from './duplicate.ts';
import { nameSimilarity } from './name-similarity.ts';

/** What a business is compared by, normalized; null where it is unknown. */
export type MatchKeys = {
  name: string;
  phone: string | null;
  /** The host of the website, unless many businesses share it. */
  host: string | null;
  postcode: string | null;
  town: string | null;
};

/** What two records have in common besides their keys. */
export interface Shared {
  email: boolean;
  /** How many other businesses have this phone number, this host. */
  phoneCount: number;
  hostCount: number;
}

/** Names that are less alike are other names. */
export const SIMILAR_NAME = 0.7;
const SAME_NAME = 0.9;
const UNRELATED_NAME = 0.3;

/**
 * Log-odds that two records are one business: what agreeing on a field adds, and what disagreeing takes away. An unknown
 * value does neither. Phone and website change, and branches share them; the postcode tells branches apart.
 */
const WEIGHTS = {
  phone: { same: 4, different: -1.2 },
  host: { same: 2, different: -1 },
  postcode: { same: 2.5, different: -3 },
  town: { same: 1, different: -2.5 },
};
type Field = keyof typeof WEIGHTS;
const FIELDS = Object.keys(WEIGHTS) as Field[];
const SAME_EMAIL = 4;
/** A phone number of more businesses is that of a head office or a serviced office; a host that of a chain. */
const MAX_OTHERS = 2;
const WIDELY_SHARED = -0.5;
/** Before anything is compared: most records that have one value in common are two businesses. */
const PRIOR = -4;
const NAME_WEIGHT = { same: 4, similar: 3, barelySimilar: 0, dissimilar: -1, unrelated: -3 };

/** How likely two records are one business, from 0 to 1, and the reasons for it. Without a reason it is 0. */
export function scoreMatch(a: MatchKeys, b: MatchKeys, shared: Shared): { score: number; reasons: DuplicateReason[] } {
  const agrees = (field: Field) => a[field] !== null && a[field] === b[field];
  const weigh = (field: Field): number => {
    if (a[field] === null || b[field] === null) return 0;
    if (!agrees(field)) return WEIGHTS[field].different;
    const others = field === 'phone' ? shared.phoneCount : field === 'host' ? shared.hostCount : 0;
    return others > MAX_OTHERS ? WIDELY_SHARED : WEIGHTS[field].same;
  };
  const odds = FIELDS.reduce((sum, field) => sum + weigh(field), PRIOR + (shared.email ? SAME_EMAIL : 0));
  // Comparing names costs most, and most pairs are none whatever their names are.
  if (toScore(odds + NAME_WEIGHT.same) < MATCH_SCORE) return { score: 0, reasons: [] };

  const similarity = nameSimilarity(a.name, b.name);
  const similar = similarity >= SIMILAR_NAME;
  const reasons: DuplicateReason[] = [];
  if (agrees('phone')) reasons.push('phone');
  if (agrees('host')) reasons.push('website');
  if (shared.email) reasons.push('email');
  if (similar && agrees('postcode')) reasons.push('name_postcode');
  else if (similar && agrees('town')) reasons.push('name_town');
  return { score: reasons.length ? toScore(odds + weighName(similarity)) : 0, reasons };
}

const toScore = (odds: number) => Math.round(1_000 / (1 + Math.exp(-odds))) / 1_000;

function weighName(similarity: number): number {
  if (similarity >= SAME_NAME) return NAME_WEIGHT.same;
  if (similarity >= SIMILAR_NAME) {
    const part = (similarity - SIMILAR_NAME) / (SAME_NAME - SIMILAR_NAME);
    return NAME_WEIGHT.barelySimilar + part * (NAME_WEIGHT.similar - NAME_WEIGHT.barelySimilar);
  }
  return similarity >= UNRELATED_NAME ? NAME_WEIGHT.dissimilar : NAME_WEIGHT.unrelated;
}
