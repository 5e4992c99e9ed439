import type { ContactRules } from './contact-rules.ts';
import { CHANNELS_OF, type ContactChannel, type ObjectionFact } from './objection.ts';

/** What is known of a number or an address when it is about to be used. */
export interface ContactFacts {
  /** The objections that stand: on the number or the address, and on its business. */
  objections: readonly ObjectionFact[];
  rules: ContactRules;
}

export interface MayContact {
  allowed: boolean;
  /** What stands against it; null where nothing does. */
  because: ObjectionFact | null;
  /** Whether a user who was asked may go on all the same. */
  overridable: boolean;
}

const FREE: MayContact = { allowed: true, because: null, overridable: false };

/**
 * The one answer to whether somebody may be contacted in this way. An objection has no end and no clock: it stands until an
 * administrator lifts it.
 */
export function mayContact(channel: ContactChannel, { objections, rules }: ContactFacts): MayContact {
  if (rules.mode === 'off') return FREE;
  const because = findObjection(channel, objections);
  return because ? { allowed: false, because, overridable: rules.mode === 'warn' } : FREE;
}

/** The oldest that is about this way: one on a number says nothing about e-mails, one on an address nothing about calls. */
function findObjection(channel: ContactChannel, objections: readonly ObjectionFact[]): ObjectionFact | null {
  const standing = objections.filter(
    ({ channel: objected, on }) => (objected === channel || objected === 'all') && CHANNELS_OF[on].includes(channel),
  );
  return standing.reduce<ObjectionFact | null>(
    (oldest, each) => (oldest && oldest.since <= each.since ? oldest : each),
    null,
  );
}
