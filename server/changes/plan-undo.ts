import { CREDIT_UNDO_HOURS, type LeftReason, type UndoOutcome } from '#contract/changes/change.ts';
import { LEAD_FIELDS } from '#contract/leads/fields/lead-fields.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canChangeLead, type LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeValues, StoredActivity, StoredFollowUp } from '#server/change-log/change-values.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readFollowUps } from '#server/leads/follow-ups/follow-ups.sql.ts';
import { type RestoreContext, restoreBusinessField, restoreLeadField } from './restore-fields.ts';
import * as undo from './undo.sql.ts';
import type { LeadCredit } from './write-undo.sql.ts';

const HOUR_MS = 3_600_000;

/** What undoing a batch will write. */
export interface UndoPlan {
  /** The changed leads as they are, and as they will be. */
  current: Map<number, Lead>;
  restored: Map<number, Lead>;
  businesses: Map<number, undo.BusinessContact>;
  followUps: Map<number, StoredFollowUp | null>;
  removedActivities: Map<number, StoredActivity>;
  restoredActivities: (StoredActivity & { id: number; leadId: number })[];
  removedCredits: LeadCredit[];
  restoredCredits: LeadCredit[];
  /** The leads whose first contact is taken back while its credit stays. */
  keptCredits: number[];
  deletedLeads: Lead[];
  taken: undo.BatchChange[];
  left: { change: undo.BatchChange; reason: LeftReason }[];
  outcome: UndoOutcome;
}

interface Context {
  viewer: Viewer;
  now: Date;
  /** False for a preview, which locks nothing. */
  lock: boolean;
  /** Instead of all of the batch. */
  part?: undo.Part;
}

/**
 * Decides for each change of a batch whether it can be taken back: nothing may have changed the same since, and the viewer
 * must be allowed to change the lead now. Locks everything that it decides about.
 */
export async function planUndo(tx: Db, batch: undo.Batch, { viewer, now, lock, part }: Context): Promise<UndoPlan> {
  // Users before leads, and leads before businesses, as in other calls.
  const holders = await undo.readPreviousHolders(tx, batch.id, { lock, part });
  const current = await undo.readLeads(tx, batch.id, { lock, part });
  const businesses = await undo.readBusinesses(tx, batch.id, { lock, part });
  const changes = await undo.readChanges(tx, batch.id, part);
  const withField = (field: undo.BatchChange['field']) => changes.filter((change) => change.field === field);
  const leadIdsWith = (field: undo.BatchChange['field']) => withField(field).map(({ lead_id }) => lead_id as number);

  const leadsOnTheMove = leadIdsWith('holder').flatMap((id) => current.get(id) ?? []);
  const holdings = await undo.readHoldings(
    tx,
    leadsOnTheMove.map(({ businessId }) => businessId),
  );
  const revisions = await undo.readRevisions(tx, leadIdsWith('notes'));
  const openFollowUps = await readFollowUps(
    tx,
    leadIdsWith('followUp').flatMap((id) => current.get(id) ?? []),
  );
  const activities = await undo.readActivities(
    tx,
    withField('activity').map(({ item }) => Number(item)),
  );
  const held =
    viewer.role === 'admin' ? undefined : await undo.readHeldBusinesses(tx, viewer.id, [...businesses.keys()]);

  const plan: Omit<UndoPlan, 'outcome'> = {
    current,
    restored: new Map(),
    businesses: new Map(),
    followUps: new Map(),
    removedActivities: new Map(),
    restoredActivities: [],
    removedCredits: [],
    restoredCredits: [],
    keptCredits: [],
    deletedLeads: [],
    taken: [],
    left: [],
  };

  const context: RestoreContext = { now, holders, holdings, revisions, openFollowUps, activities, plan };

  const credits = withField('credit');
  for (const change of changes) {
    if (change.field === 'credit') continue;
    const reason = change.lead_id === null ? takeBusinessChange(change) : takeLeadChange(change);
    if (reason) plan.left.push({ change, reason });
    else plan.taken.push(change);
  }
  const statusTaken = new Set(plan.taken.flatMap(({ field, lead_id }) => (field === 'status' ? [lead_id] : [])));
  for (const change of credits) {
    // The credit belongs to the contact: it stays with one that is left.
    if (!change.changed_since && statusTaken.has(change.lead_id)) takeCredit(change);
  }
  return { ...plan, outcome: summarise(plan) };

  /** Adds the change to the plan, or returns why it is left. */
  function takeLeadChange(change: undo.BatchChange): LeftReason | undefined {
    const lead = current.get(change.lead_id as number);
    if (!lead) return 'changed';
    if (!policyOf(change.field)(viewer, lead)) return 'forbidden';
    if (change.changed_since) return change.field === 'lead' ? 'touched' : 'changed';
    const state = plan.restored.get(lead.id) ?? lead;
    const next = restoreLeadField(state, change, context);
    if (typeof next === 'string') return next;
    if (change.field === 'lead') plan.deletedLeads.push(lead);
    else plan.restored.set(lead.id, next);
    return undefined;
  }

  function takeBusinessChange(change: undo.BatchChange): LeftReason | undefined {
    const business = businesses.get(change.business_id as number);
    if (!business) return 'changed';
    if (held && !held.has(business.id)) return 'forbidden';
    if (change.changed_since) return 'changed';
    const state = plan.businesses.get(business.id) ?? business;
    const next = restoreBusinessField(state, change);
    if (!next) return 'changed';
    plan.businesses.set(business.id, next);
    return undefined;
  }

  /** An earned credit goes back only with the same user's correction soon after: goals must not be gamed by toggling. */
  function takeCredit(change: undo.BatchChange) {
    const leadId = change.lead_id as number;
    const restored = change.before as ChangeValues['credit'] | null;
    if (restored) {
      plan.restoredCredits.push({ leadId, ...restored });
      plan.taken.push(change);
      return;
    }
    const soon = now.getTime() - Date.parse(batch.at) <= CREDIT_UNDO_HOURS * HOUR_MS;
    if (batch.userId !== viewer.id || !soon) {
      plan.keptCredits.push(leadId);
      return;
    }
    plan.removedCredits.push({ leadId, ...(change.after as ChangeValues['credit']) });
    plan.taken.push(change);
  }
}

/** Who may change the field, and so undo its change. */
const policyOf = (field: undo.BatchChange['field']): LeadPolicy =>
  (field in LEAD_FIELDS && LEAD_FIELDS[field as keyof typeof LEAD_FIELDS].mayChange) || canChangeLead;

function summarise({ taken, left, deletedLeads, keptCredits }: Omit<UndoPlan, 'outcome'>): UndoOutcome {
  const unit = ({ lead_id, business_id }: undo.BatchChange) => `${lead_id} ${business_id}`;
  const byReason = new Map<LeftReason, Map<string, string>>();
  for (const { change, reason } of left) {
    const names = byReason.get(reason) ?? new Map<string, string>();
    byReason.set(reason, names.set(unit(change), change.name));
  }
  return {
    takenBack: new Set(taken.map(unit)).size,
    deleted: deletedLeads.length,
    left: [...byReason].map(([reason, names]) => ({
      reason,
      count: names.size,
      names: [...names.values()].slice(0, undo.MAX_NAMES),
    })),
    creditsKept: keptCredits.length,
  };
}
