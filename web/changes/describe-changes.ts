import { CHANGE_KIND_LABEL, type ChangeBatch, type ChangeKind } from '#contract/changes/change.ts';
import { labelChange, type ShownChange } from '#contract/leads/fields/logged-change.ts';
import { formatCount, nameZone } from '#web/kit/format.ts';

type TimeZone = string | undefined;

/** What a batch did: "Status: New → Closed (Won)", "Reassigned to bob", "Undone: Tags". */
export function describeBatch({ kind, count, first, undid }: ChangeBatch, timeZone: TimeZone): string {
  if (kind === 'undo') return `Undone: ${undid ? CHANGE_KIND_LABEL[undid] : 'changes'}`;
  const fixed = FIXED_TEXT[kind];
  if (fixed) return fixed;
  return first ? describeFirst(kind, withZone(first.change, timeZone), count) : CHANGE_KIND_LABEL[kind];
}

const FIXED_TEXT: Partial<Record<ChangeKind, string>> = {
  archive: 'Archived',
  restore: 'Restored',
  notes: 'Notes changed',
  contact: 'Contact logged',
  delete_activity: 'Activity deleted',
  import: 'Imported',
};

function describeFirst(kind: ChangeKind, change: ShownChange, count: number): string {
  const { field, before, after } = change;
  if (field === 'holder' || field === 'lead')
    return `${kind === 'assign' ? 'Assigned' : 'Reassigned'} to ${after ?? 'another user'}`;
  if (field === 'tag') return after ? `Tag added: ${after}` : `Tag removed: ${before}`;
  if (field === 'existingCustomer')
    return after === 'Yes' ? 'Marked as existing customer' : 'Existing customer mark removed';
  if (field === 'merge') return `Merged with ${after}`;
  if (field === 'followUp' && !before) return `Follow-up planned: ${after}`;
  // The leads of a bulk action had different values before.
  if (count > 1) return `${labelChange(change)} → ${after ?? 'none'}`;
  return formatValues(change);
}

export const describeChange = (change: ShownChange, timeZone: TimeZone) => formatValues(withZone(change, timeZone));

/** The time of a follow-up is the team's. */
const withZone = ({ before, after, ...change }: ShownChange, timeZone: TimeZone): ShownChange => ({
  ...change,
  before: nameZone(before, timeZone),
  after: nameZone(after, timeZone),
});

/** "Phone: none → 020 7946 0018"; only the name of a field whose values are not shown. */
function formatValues({ before, after, ...change }: ShownChange): string {
  const label = labelChange(change);
  return before === null && after === null ? label : `${label}: ${before ?? 'none'} → ${after ?? 'none'}`;
}

export const formatLeads = (count: number) => (count === 1 ? '1 lead' : `${formatCount(count)} leads`);

/** "371 new leads, 29 changed": the numbers of an import are those that its result shows. */
export function formatBatchLeads({ count, created }: Pick<ChangeBatch, 'count' | 'created'>): string {
  if (created === null) return formatLeads(count);
  const changed = count - created;
  const parts = [
    ...(created ? [created === 1 ? '1 new lead' : `${formatCount(created)} new leads`] : []),
    ...(changed > 0 ? [created ? `${formatCount(changed)} changed` : `${formatLeads(changed)} changed`] : []),
  ];
  return parts.join(', ');
}
