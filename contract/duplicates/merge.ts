import { z } from 'zod';
import type { LeadStatus } from '../leads/lead.ts';

/** What can be chosen from each of the merged records. A position is a latitude and a longitude. */
export const mergeField = z.enum(['name', 'address', 'town', 'phone', 'website', 'type', 'position']);
export type MergeField = z.infer<typeof mergeField>;

export const MERGE_FIELD_LABEL: Record<MergeField, string> = {
  name: 'Name',
  address: 'Address',
  town: 'Town',
  phone: 'Phone',
  website: 'Website',
  type: 'Type of business',
  position: 'Position on the map',
};

/** For how long a merge can be undone; what that needs is deleted afterwards. */
export const UNMERGE_DAYS = 30;
export const MAX_MERGED = 10;

/** A record as choosing its values needs it. */
export interface MergeRecord {
  id: number;
  name: string;
  address: string | null;
  town: string | null;
  phone: string | null;
  /** Whether a person typed it; a search or an import has not. */
  phoneTyped: boolean;
  website: string | null;
  websiteTyped: boolean;
  type: string | null;
  typeGuessed: boolean;
  position: string | null;
  updatedAt: string;
}

export type MergeChoice = Record<MergeField, number>;

/** The record to take each field from: one that a person typed, then the newer one; never an empty one over another. */
export const chooseFields = (records: readonly MergeRecord[]): MergeChoice => {
  const choose = (field: MergeField) => {
    const rank = (record: MergeRecord): [number, number, string] => [
      record[field] ? 1 : 0,
      (field === 'phone' && record.phoneTyped) ||
      (field === 'website' && record.websiteTyped) ||
      (field === 'type' && !record.typeGuessed)
        ? 1
        : 0,
      record.updatedAt,
    ];
    const best = records.reduce((chosen, record) => (compare(rank(record), rank(chosen)) > 0 ? record : chosen));
    return best.id;
  };
  return Object.fromEntries(mergeField.options.map((field) => [field, choose(field)])) as MergeChoice;
};

function compare<T extends (number | string)[]>(a: T, b: T): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] as number) > (b[at] as number) ? 1 : -1;
}

/** From the least to the furthest. A lost lead says more than a new one, and less than one that is being worked on. */
const STATUS_ORDER: readonly LeadStatus[] = [
  'new',
  'closed_lost',
  'in_progress',
  'recontact',
  'qualified',
  'proposal',
  'negotiation',
  'closed_won',
];

/** The status of two leads that become one. */
export const furtherStatus = (a: LeadStatus, b: LeadStatus) =>
  STATUS_ORDER.indexOf(a) >= STATUS_ORDER.indexOf(b) ? a : b;
