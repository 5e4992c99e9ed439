import { furtherStatus } from '#contract/duplicates/merge.ts';
import { formatDate, formatDateTime } from '#contract/format.ts';
import { ACTIVITY_TYPE_LABEL, type Lead } from '#contract/leads/lead.ts';
import { splitNotes } from '#contract/leads/split-notes.ts';
import type { StoredFollowUp } from '#server/change-log/change-values.ts';

export interface JoinedLead extends Lead {
  businessName: string;
  followUp: StoredFollowUp | undefined;
}

interface Context {
  now: Date;
  timeZone: string;
}

/**
 * The columns of one lead that two leads of a holder become. What does not fit in them is added to the notes, and the
 * oldest notes that do not fit there become activities.
 */
export function joinLeads(kept: JoinedLead, other: JoinedLead, { now, timeZone }: Context) {
  const customFields = { ...other.customFields, ...withoutEmpty(kept.customFields) };
  const [next, later] = orderFollowUps(kept.followUp, other.followUp);
  const lost = Object.entries(LABELS).flatMap(([field, label]) => {
    const value = other.customFields[field];
    return value && value !== customFields[field] ? [`${label}: ${value}`] : [];
  });
  if (later) {
    lost.push(
      `Next step: ${ACTIVITY_TYPE_LABEL[later.type]}, ${formatDateTime(later.at, timeZone)}${later.note && `: ${later.note}`}`,
    );
  }
  const added = [...lost, other.notes.trim()].filter(Boolean).join('\n');
  const date = formatDate(now.toISOString(), timeZone);
  const all = added
    ? `${kept.notes}\n\n--- Merged from ${other.businessName} on ${date} ---\n${added}`.trimStart()
    : kept.notes;
  const { older, newest: notes } = splitNotes(all);
  const archived = kept.archived && other.archived;
  const joined: JoinedLead = {
    ...kept,
    status: furtherStatus(kept.status, other.status),
    viewed: kept.viewed || other.viewed,
    archived,
    archivedAt: archived ? kept.archivedAt : null,
    existingCustomer: kept.existingCustomer || other.existingCustomer,
    existingCustomerAt: kept.existingCustomerAt ?? other.existingCustomerAt,
    assignedAt: kept.assignedAt < other.assignedAt ? kept.assignedAt : other.assignedAt,
    lastContactedAt: latest(kept.lastContactedAt, other.lastContactedAt),
    nextStepAt: next?.at ?? null,
    nextStepType: next?.type ?? null,
    notes,
    notesVersion: notes === kept.notes ? kept.notesVersion : kept.notesVersion + 1,
    tags: [...kept.tags, ...other.tags.filter((tag) => !hasTag(kept.tags, tag))],
    customFields,
    followUp: next,
  };
  return { joined, droppedFollowUp: later, olderNotes: older };
}

const LABELS = { email: 'E-mail', contactPerson: 'Contact person' };

const withoutEmpty = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value));

const hasTag = (tags: string[], tag: string) => tags.some((each) => each.toLowerCase() === tag.toLowerCase());

const latest = (a: string | null, b: string | null) => ((a ?? '') > (b ?? '') ? a : b);

/** The earlier one is the next step; of two at the same time, the kept lead's. */
function orderFollowUps(kept: StoredFollowUp | undefined, other: StoredFollowUp | undefined) {
  if (!kept || !other) return [kept ?? other, undefined];
  return kept.at <= other.at ? [kept, other] : [other, kept];
}
