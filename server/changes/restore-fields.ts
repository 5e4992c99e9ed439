import { isDeepStrictEqual } from 'node:util';
import type { LeftReason } from '#contract/changes/change.ts';
import { type DetailKey, mapDetails } from '#contract/leads/fields/detail-fields.ts';
import { type Lead, MAX_TAGS } from '#contract/leads/lead.ts';
import type {
  BusinessField,
  ChangeValues,
  LeadField,
  Marked,
  StoredActivity,
  StoredFollowUp,
} from '#server/change-log/change-values.ts';
import type { BusinessContact } from './undo.sql.ts';

/** What restoring the fields of a lead needs to know, and what it plans besides the columns of the lead. */
export interface RestoreContext {
  now: Date;
  /** The active users among the previous holders. */
  holders: ReadonlySet<number>;
  /** `user business` of the leads on the businesses of leads on the move. */
  holdings: Set<string>;
  /** The texts of notes, by lead and version. */
  revisions: ReadonlyMap<string, string>;
  openFollowUps: ReadonlyMap<number, StoredFollowUp>;
  activities: ReadonlyMap<number, StoredActivity>;
  plan: {
    followUps: Map<number, StoredFollowUp | null>;
    removedActivities: Map<number, StoredActivity>;
    restoredActivities: (StoredActivity & { id: number; leadId: number })[];
  };
}

interface StoredChange {
  field: keyof ChangeValues;
  item: string;
  before: unknown;
  after: unknown;
}

/** The same with the values that the field has in the log. */
interface Change<F extends keyof ChangeValues> {
  item: string;
  before: ChangeValues[F] | null;
  after: ChangeValues[F] | null;
}

/** The lead with the value before the change, or why that cannot be. */
type Restore<F extends LeadField> = (lead: Lead, change: Change<F>, context: RestoreContext) => Lead | LeftReason;

// A credit is taken back with the status that earned it.
type RestoredChange = Exclude<LeadField, 'credit'>;

/** How each field of a lead is restored. A field without an entry does not compile. */
const RESTORE_LEAD: { [F in RestoredChange]: Restore<F> } = {
  ...(mapDetails((_, key) => restoreDetail(key)) satisfies { [F in DetailKey]: Restore<F> }),
  // The lead is deleted.
  lead: (lead) => lead,
  status: (lead, { before, after }) => (before && lead.status === after ? { ...lead, status: before } : 'changed'),
  archived: (lead, { before, after }, { now }) =>
    lead.archived === Boolean(after)
      ? { ...lead, archived: Boolean(before), archivedAt: toMoment(before, now) }
      : 'changed',
  existingCustomer: (lead, { before, after }, { now }) =>
    lead.existingCustomer === Boolean(after)
      ? { ...lead, existingCustomer: Boolean(before), existingCustomerAt: toMoment(before, now) }
      : 'changed',
  holder: restoreHolder,
  tag: (lead, { item, before }) => restoreTag(lead, item, before !== null),
  ownField: restoreOwnField,
  notes: restoreNotes,
  followUp: restoreFollowUp,
  activity: restoreActivity,
};

export function restoreLeadField(
  lead: Lead,
  { field, item, before, after }: StoredChange,
  context: RestoreContext,
): Lead | LeftReason {
  const restore = (RESTORE_LEAD as Partial<Record<string, Restore<never>>>)[field];
  if (!restore) throw new Error(`A change of a lead has the field ${field}`);
  return restore(lead, { item, before, after } as Change<never>, context); // the values were written for this field
}

function restoreDetail(key: DetailKey) {
  return (lead: Lead, { before, after }: Change<DetailKey>): Lead | LeftReason => {
    const { [key]: value = null, ...others } = lead.customFields;
    if (value !== after) return 'changed';
    return { ...lead, customFields: before === null ? others : { ...others, [key]: before } };
  };
}

function toMoment(marked: Marked | null, now: Date): string | null {
  if (!marked) return null;
  return marked === true ? now.toISOString() : marked;
}

function restoreHolder(
  lead: Lead,
  { before, after }: Change<'holder'>,
  { holders, holdings }: RestoreContext,
): Lead | LeftReason {
  if (!before || lead.userId !== after?.userId) return 'changed';
  if (!holders.has(before.userId)) return 'holder_gone';
  const holding = `${before.userId} ${lead.businessId}`;
  if (holdings.has(holding)) return 'already_held';
  holdings.add(holding);
  return { ...lead, ...before };
}

function restoreTag(lead: Lead, tag: string, wasThere: boolean): Lead | LeftReason {
  const others = lead.tags.filter((each) => each.toLowerCase() !== tag.toLowerCase());
  const isThere = others.length < lead.tags.length;
  if (isThere === wasThere) return 'changed';
  if (!wasThere) return { ...lead, tags: others };
  return others.length >= MAX_TAGS ? 'too_many_tags' : { ...lead, tags: [...others, tag] };
}

function restoreOwnField(lead: Lead, { item, before, after }: Change<'ownField'>): Lead | LeftReason {
  const { [item]: value = null, ...others } = lead.ownFields;
  if (!isDeepStrictEqual(value, after)) return 'changed';
  return { ...lead, ownFields: before === null ? others : { ...others, [item]: before } };
}

function restoreNotes(
  lead: Lead,
  { before, after }: Change<'notes'>,
  { revisions }: RestoreContext,
): Lead | LeftReason {
  const notes = revisions.get(`${lead.id} ${before}`);
  // Undoing a later change brought the same text back, as a version of its own.
  const unchanged = lead.notesVersion === after || lead.notes === revisions.get(`${lead.id} ${after}`);
  if (!unchanged) return 'changed';
  return notes === undefined ? 'gone' : { ...lead, notes, notesVersion: lead.notesVersion + 1 };
}

function restoreFollowUp(
  lead: Lead,
  { before, after }: Change<'followUp'>,
  { openFollowUps, plan }: RestoreContext,
): Lead | LeftReason {
  const open = openFollowUps.get(lead.id);
  if (open?.id !== after?.id || open?.at !== after?.at) return 'changed';
  plan.followUps.set(lead.id, before);
  return { ...lead, nextStepAt: before?.at ?? null, nextStepType: before?.type ?? null };
}

function restoreActivity(
  lead: Lead,
  { item, before }: Change<'activity'>,
  { activities, plan }: RestoreContext,
): Lead | LeftReason {
  const id = Number(item);
  const activity = activities.get(id);
  if (!before) {
    if (!activity) return 'changed';
    plan.removedActivities.set(id, activity);
    return lead;
  }
  if (activity || !before.row) return 'changed';
  plan.restoredActivities.push({ ...before.row, id, leadId: lead.id });
  return lead;
}

/** The business with the value before the change; undefined where it was changed since. */
type RestoreBusiness<F extends BusinessField> = (
  business: BusinessContact,
  change: Pick<Change<F>, 'before' | 'after'>,
) => BusinessContact | undefined;

const RESTORE_BUSINESS: { [F in BusinessField]: RestoreBusiness<F> } = {
  phone: (business, { before, after }) =>
    before && business.phone === after?.text
      ? { ...business, phone: before.text, phoneTyped: before.typed }
      : undefined,
  website: (business, { before, after }) =>
    before && business.website === after?.text
      ? { ...business, website: before.text, websiteTyped: before.typed }
      : undefined,
  wrongPhone: (business, { before, after }) =>
    business.wrongPhone === after ? { ...business, wrongPhone: before } : undefined,
  town: (business, { before, after }) => (business.town === after ? { ...business, town: before } : undefined),
  type: (business, { before, after }) =>
    before && business.type === after?.label
      ? { ...business, type: before.label, typeGuessed: before.guessed }
      : undefined,
  // An undone merge is not merged again by undoing.
  merge: () => undefined,
};

export function restoreBusinessField(
  business: BusinessContact,
  { field, before, after }: Omit<StoredChange, 'item'>,
): BusinessContact | undefined {
  const restore = (RESTORE_BUSINESS as Partial<Record<string, RestoreBusiness<never>>>)[field];
  if (!restore) throw new Error(`A change of a business has the field ${field}`);
  return restore(business, { before, after } as Change<never>); // the values were written for this field
}
