import { z } from 'zod';
import { moment } from '../fields.ts';
import { formatCount, formatCounted } from '../format.ts';
import { changeSource, shownChange } from '../leads/fields/logged-change.ts';

/** What a batch of changes did, as people filter by it. */
export const changeKind = z.enum([
  'status',
  'archive',
  'restore',
  'existing_customer',
  'tag',
  'notes',
  'details',
  'reassign',
  'follow_up',
  'contact',
  'delete_activity',
  'assign',
  'import',
  'merge',
  'undo',
  'proposal',
]);
export type ChangeKind = z.infer<typeof changeKind>;

// Record, so that a kind without a label does not compile.
export const CHANGE_KIND_LABEL: Record<ChangeKind, string> = {
  status: 'Status',
  archive: 'Archive',
  restore: 'Restore',
  existing_customer: 'Existing customer',
  tag: 'Tags',
  notes: 'Notes',
  details: 'Contact details',
  reassign: 'Reassignment',
  follow_up: 'Follow-up',
  contact: 'Contact',
  delete_activity: 'Deleted activity',
  assign: 'Assignment',
  import: 'Import',
  merge: 'Merge',
  undo: 'Undo',
  proposal: 'Proposal',
};

/** For how long the author of a batch can undo it. Admins can for as long as it is kept. */
export const UNDO_DAYS = 30;
/** For how long an undone first contact gives its credit back. */
export const CREDIT_UNDO_HOURS = 24;

const changeAuthor = z.strictObject({ id: z.number(), username: z.string(), fullName: z.string() });

/** The changes of one request. */
export const changeBatch = z.strictObject({
  id: z.uuid(),
  at: moment,
  kind: changeKind,
  source: changeSource,
  /** Null once the account is deleted. */
  user: changeAuthor.nullable(),
  /** The name of the program through which they made them. */
  program: z.string().optional(),
  /** The number of leads and businesses that were changed. */
  count: z.number(),
  /** Of an import whose result is still kept: how many of its leads are new. */
  created: z.number().nullable(),
  /** The first of its changes, and the business; null once its leads are deleted. */
  first: z.strictObject({ name: z.string(), uuid: z.uuid().nullable(), change: shownChange }).nullable(),
  /** The kind of the batch that this one undid. */
  undid: changeKind.nullable(),
  /** When it was undone. */
  undoneAt: moment.nullable(),
  /** Present while a job undoes it. */
  undoing: z.literal(true).optional(),
  /** Whether the viewer may undo it now. */
  canUndo: z.boolean(),
});
export type ChangeBatch = z.infer<typeof changeBatch>;

/** Why a change was, or would be, left as it is. */
const leftReason = z.enum(['changed', 'touched', 'forbidden', 'holder_gone', 'already_held', 'gone', 'too_many_tags']);
export type LeftReason = z.infer<typeof leftReason>;

/** What undoing a batch does or did. */
export const undoOutcome = z.strictObject({
  /** The number of leads and businesses with changes that are taken back. */
  takenBack: z.number(),
  /** The number of those leads that are deleted, because the batch created them. */
  deleted: z.number(),
  /** The leads and businesses with changes that are left, by reason, with the names of the first few. */
  left: z.array(z.strictObject({ reason: leftReason, count: z.number(), names: z.array(z.string()) })),
  /** The number of credits that stay although their contact is taken back. */
  creditsKept: z.number(),
});
export type UndoOutcome = z.infer<typeof undoOutcome>;

/** One [singular, plural] per reason. */
const LEFT_TEXT: Record<LeftReason, [one: string, many: string]> = {
  changed: ['was changed since', 'were changed since'],
  touched: ['was worked on since, so it is kept', 'were worked on since, so they are kept'],
  forbidden: ['may not be changed by you', 'may not be changed by you'],
  holder_gone: ['had a holder whose account is gone', 'had a holder whose account is gone'],
  already_held: ['is held by that user already', 'are held by that user already'],
  gone: ['has an earlier text that is no longer kept', 'have an earlier text that is no longer kept'],
  too_many_tags: ['has too many tags', 'have too many tags'],
};

/** "197 taken back, 3 were changed since: Ada's Bakery, …". */
export function formatUndoOutcome({ takenBack, deleted, left, creditsKept }: UndoOutcome): string {
  const parts = [`${formatCount(takenBack)} taken back`, ...left.map(formatLeft)];
  if (deleted) parts[0] += ` (${formatCounted(deleted, 'lead')} deleted)`;
  if (creditsKept) parts.push(formatCreditsKept(creditsKept));
  return parts.join(', ');
}

/** "3 were changed since: Ada's Bakery, …". */
export function formatLeft({ reason, count, names }: UndoOutcome['left'][number]): string {
  const [one, many] = LEFT_TEXT[reason];
  const more = count > names.length ? ` and ${formatCount(count - names.length)} more` : '';
  return `${formatCounted(count, one, many)}: ${names.join(', ')}${more}`;
}

export const formatCreditsKept = (count: number) => formatCounted(count, 'goal credit stays', 'goal credits stay');
