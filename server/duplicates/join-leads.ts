import { isDeepStrictEqual } from 'node:util';
import { furtherStatus } from '#contract/duplicates/merge.ts';
import { formatDate, formatDateTime, type TeamFormat } from '#contract/format.ts';
import { DETAIL_FIELDS, DETAIL_KEYS, type Details } from '#contract/leads/fields/detail-fields.ts';
import type { DetailField } from '#contract/leads/fields/lead-field.ts';
import { joinReadOnly } from '#contract/leads/fields/read-only-fields.ts';
import { ACTIVITY_TYPE_LABEL, type Lead } from '#contract/leads/lead.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import {
  formatValue,
  joinsBoth,
  joinValue,
  type OwnField,
  type OwnValues,
} from '#contract/leads/own-fields/own-field.ts';
import { splitNotes } from '#contract/leads/split-notes.ts';
import type { StoredFollowUp } from '#server/change-log/change-values.ts';

export interface JoinedLead extends Lead {
  businessName: string;
  followUp: StoredFollowUp | undefined;
}

/** What of a lead stays as it is. A column that is neither here nor joined does not compile. */
type Identity = 'id' | 'uuid' | 'userId' | 'businessId' | 'createdAt' | 'updatedAt';
type JoinedColumns = Omit<Lead, Identity>;

interface Context {
  now: Date;
  team: TeamFormat;
  /** The team's own. */
  fields: OwnField[];
}

/**
 * The columns of one lead that two leads of a holder become. What does not fit in them is added to the notes, and the
 * oldest notes that do not fit there become activities.
 */
export function joinLeads(kept: JoinedLead, other: JoinedLead, { now, team, fields }: Context) {
  const customFields = { ...other.customFields, ...withoutEmpty(kept.customFields) };
  const own = joinOwnFields(kept.ownFields, other.ownFields, fields);
  const [next, later] = orderFollowUps(kept.followUp, other.followUp);
  const lost = DETAIL_KEYS.flatMap((key) => {
    const value = other.customFields[key];
    const { mergeLabel, format }: DetailField = DETAIL_FIELDS[key];
    return value && value !== customFields[key] ? [`${mergeLabel}: ${format(value, team)}`] : [];
  });
  for (const { field, value } of own.lost) lost.push(`${field.name}: ${formatValue(field, value, team)}`);
  if (later) {
    lost.push(
      `Next step: ${ACTIVITY_TYPE_LABEL[later.type]}, ${formatDateTime(later.at, team.timeZone)}${later.note && `: ${later.note}`}`,
    );
  }
  const added = [...lost, other.notes.trim()].filter(Boolean).join('\n');
  const date = formatDate(now.toISOString(), team.timeZone);
  const all = added
    ? `${kept.notes}\n\n--- Merged from ${other.businessName} on ${date} ---\n${added}`.trimStart()
    : kept.notes;
  const { older, newest: notes } = splitNotes(all);
  const columns: JoinedColumns = {
    ...joinReadOnly(kept, other),
    status: furtherStatus(kept.status, other.status),
    viewed: kept.viewed || other.viewed,
    archived: kept.archived && other.archived,
    archivedAt: kept.archived && other.archived ? kept.archivedAt : null,
    existingCustomer: kept.existingCustomer || other.existingCustomer,
    existingCustomerAt: kept.existingCustomerAt ?? other.existingCustomerAt,
    nextStepAt: next?.at ?? null,
    nextStepType: next?.type ?? null,
    notes,
    notesVersion: notes === kept.notes ? kept.notesVersion : kept.notesVersion + 1,
    tags: [...kept.tags, ...other.tags.filter((tag) => !hasTag(kept.tags, tag))],
    customFields,
    ownFields: own.joined,
  };
  const joined: JoinedLead = { ...kept, ...columns, followUp: next };
  return { joined, droppedFollowUp: later, olderNotes: older };
}

/** The values of the joined lead, and those of the other one that have no place in it. */
function joinOwnFields(kept: OwnValues, other: OwnValues, fields: OwnField[]) {
  const joined = { ...other, ...kept };
  const lost: { field: OwnField; value: OwnValue }[] = [];
  for (const field of fields) {
    const [first, second] = [kept[field.id], other[field.id]];
    if (first === undefined || second === undefined) continue;
    joined[field.id] = joinValue(field, first, second);
    if (!joinsBoth(field) && !isDeepStrictEqual(first, second)) lost.push({ field, value: second });
  }
  return { joined, lost };
}

const withoutEmpty = (details: Details): Details =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value));

const hasTag = (tags: string[], tag: string) => tags.some((each) => each.toLowerCase() === tag.toLowerCase());

/** The earlier one is the next step; of two at the same time, the kept lead's. */
function orderFollowUps(kept: StoredFollowUp | undefined, other: StoredFollowUp | undefined) {
  if (!kept || !other) return [kept ?? other, undefined];
  return kept.at <= other.at ? [kept, other] : [other, kept];
}
