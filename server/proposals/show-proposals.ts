import type { TeamFormat } from '#contract/format.ts';
import { labelChange } from '#contract/leads/fields/logged-change.ts';
import { ACTIVITY_TYPE_LABEL } from '#contract/leads/lead.ts';
import type { Proposal, ProposedLead } from '#contract/proposals/proposal.ts';
import type { Viewer } from '#contract/users/user.ts';
import { showChanges } from '#server/change-log/show-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { listConflicts } from './decide-proposal.ts';
import { listChanges, readLeads, type StoredChange, type StoredProposal } from './proposals.sql.ts';

interface Context {
  viewer: Viewer;
  now: Date;
  team: TeamFormat;
}

/** Proposals as people read them, with what is in conflict now. Those whose leads are all deleted are left out. */
export async function showProposals(
  db: Db,
  stored: StoredProposal[],
  { viewer, now, team }: Context,
): Promise<Proposal[]> {
  const changes = await listChanges(
    db,
    stored.map(({ id }) => id),
  );
  const stateOf = (proposal: StoredProposal): Proposal['state'] => {
    if (proposal.decidedAt) return 'decided';
    return Date.parse(proposal.expiresAt) <= now.getTime() ? 'expired' : 'open';
  };
  const open = new Set(stored.filter((proposal) => stateOf(proposal) === 'open').map(({ id }) => id));
  const waiting = changes.filter(({ proposalId }) => open.has(proposalId));
  const current = await readLeads(db, waiting, { lock: false });
  const conflicts = await listConflicts(db, waiting, current, viewer);
  const shown = await showValues(db, changes, team);
  const leadsOf = (proposalId: string) => {
    const leads = new Map<number, ProposedLead>();
    for (const change of changes.filter((each) => each.proposalId === proposalId)) {
      const { id, leadId, uuid, name } = change;
      const lead = leads.get(leadId) ?? { uuid, name, changes: [] };
      leads.set(leadId, lead);
      const problem = conflicts.get(id) ?? change.problem;
      const state = conflicts.has(id) ? 'conflict' : change.state;
      lead.changes.push({ id, ...(shown.get(id) ?? NOT_SHOWN), state, problem });
    }
    return [...leads.values()];
  };
  return stored
    .map((proposal): Proposal => {
      const { id, program, reason, createdAt, expiresAt, decidedAt } = proposal;
      return { id, program, reason, createdAt, expiresAt, decidedAt, state: stateOf(proposal), leads: leadsOf(id) };
    })
    .filter(({ leads }) => leads.length > 0);
}

interface Shown {
  label: string;
  before: string | null;
  after: string | null;
}

const NOT_SHOWN: Shown = { label: 'Change', before: null, after: null };

/** The values before and after of each change, in the words of the screens. */
async function showValues(db: Db, changes: StoredChange[], team: TeamFormat): Promise<Map<number, Shown>> {
  const logged = changes.flatMap((stored) => {
    const change = toLogged(stored);
    return change ? [{ id: stored.id, change }] : [];
  });
  const texts = await showChanges(
    db,
    logged.map(({ change }) => change),
    team,
  );
  const shown = new Map(
    logged.flatMap(({ id }, index): [number, Shown][] => {
      const text = texts[index];
      return text ? [[id, { label: labelChange(text), before: text.before, after: text.after }]] : [];
    }),
  );
  for (const { id, change } of changes) {
    if (change.kind === 'activity') {
      shown.set(id, { label: ACTIVITY_TYPE_LABEL[change.type], before: null, after: change.text });
    }
  }
  return shown;
}

type Logged = Parameters<typeof showChanges>[1][number];

/** As the change log would have it. An activity has a text, which the log has not. */
function toLogged({ change, base }: StoredChange): Logged | undefined {
  const item = '';
  switch (change.kind) {
    case 'status':
      return { field: 'status', item, before: base.status, after: change.status };
    case 'next_step':
      return { field: 'followUp', item, before: base.nextStep, after: change };
    case 'add_tag':
      return { field: 'tag', item: change.tag, before: null, after: change.tag };
    case 'remove_tag':
      return { field: 'tag', item: change.tag, before: change.tag, after: null };
    case 'own_field': {
      const key = String(change.fieldId);
      return { field: 'ownField', item: key, before: base.ownFields[key] ?? null, after: change.value };
    }
    case 'email':
    case 'contactPerson':
    case 'value':
      return { field: change.kind, item, before: base.details[change.kind] ?? null, after: change.value || null };
    case 'phone':
      return { field: 'phone', item, before: { text: base.phone }, after: { text: change.phone || null } };
    case 'website':
      return { field: 'website', item, before: { text: base.website }, after: { text: change.website || null } };
    case 'assign':
      return { field: 'holder', item, before: { userId: base.holder }, after: { userId: change.userId } };
    default:
      return undefined;
  }
}
