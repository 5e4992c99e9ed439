import { LEAD_STATUS_LABEL, type LeadStatus } from '#contract/leads/lead.ts';
import { mergeNotes } from '#contract/leads/merge-notes.ts';
import type { OutboxEntry } from '#contract/outbox/entry.ts';

export interface Conflict {
  /** What the server has, and what waits, as text. */
  saved: string;
  mine: string;
  /** The entry that replaces what the server has. */
  keepMine: OutboxEntry;
  keepBoth?: OutboxEntry;
}

/** Both values of an entry whose value another user has changed meanwhile. */
export function readConflict(entry: OutboxEntry, formatMoment: (moment: string) => string): Conflict | undefined {
  const { kind, body = {}, current } = entry;
  if (!current) return undefined;
  const withBody = (changes: object): OutboxEntry => ({ ...entry, body: { ...body, ...changes } });
  switch (kind) {
    case 'notes': {
      const { notesVersion } = current;
      const [saved, mine] = [toText(current.notes), toText(body.notes)];
      return {
        ...{ saved, mine, keepMine: withBody({ notesVersion }) },
        keepBoth: withBody({ notesVersion, notes: mergeNotes(saved, mine) }),
      };
    }
    case 'status':
      return {
        saved: toStatus(current.status),
        mine: toStatus(body.status),
        keepMine: withBody({ before: current.status }),
      };
    case 'plan': {
      const at = toText((current.followUp as { at?: unknown } | null)?.at);
      return {
        saved: at && formatMoment(at),
        mine: formatMoment(toText(body.at)),
        keepMine: withBody({ before: at || null }),
      };
    }
    case 'phone':
    case 'website':
      return {
        saved: toText(current[kind]),
        mine: toText(body[kind]),
        keepMine: withBody({ before: toText(current[kind]) }),
      };
    default:
      return {
        saved: joinValues(current),
        mine: joinValues(body.customFields ?? body.values),
        keepMine: withBody({ before: current }),
      };
  }
}

const toText = (value: unknown) => (typeof value === 'string' ? value : '');
const toStatus = (value: unknown) => LEAD_STATUS_LABEL[value as LeadStatus] ?? '';

const joinValues = (values: unknown) =>
  Object.values((values ?? {}) as object)
    .flat()
    .filter((value) => value !== null)
    .join(', ');
