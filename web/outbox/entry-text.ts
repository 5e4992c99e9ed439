import type { EntryKind, OutboxEntry } from '#contract/outbox/entry.ts';

interface EntryText {
  /** Of the body. */
  key: string;
  label: string;
  lines: boolean;
  /** How the title begins, where it has the text. */
  title?: string;
}

/** The text of each kind that its user can still change. */
const TEXTS: Partial<Record<EntryKind, EntryText>> = {
  log: { key: 'note', label: 'Note', lines: true },
  activity: { key: 'notes', label: 'Notes', lines: true },
  notes: { key: 'notes', label: 'Notes', lines: true },
  phone: { key: 'phone', label: 'Phone', lines: false, title: 'Phone: ' },
  website: { key: 'website', label: 'Website', lines: false, title: 'Website: ' },
  tag: { key: 'tag', label: 'Tag', lines: false, title: 'Tag added: ' },
  business: { key: 'name', label: 'Name', lines: false, title: 'Added: ' },
};

/** Undefined where there is nothing to edit. */
export function readText({ kind, body }: OutboxEntry) {
  const text = TEXTS[kind];
  if (!text) return undefined;
  const value = body?.[text.key];
  return { label: text.label, lines: text.lines, value: typeof value === 'string' ? value : '' };
}

/** The entry with another text. It may have been sent with the first one. */
export function writeText(entry: OutboxEntry, text: string): OutboxEntry {
  const { key, title } = TEXTS[entry.kind] ?? {};
  if (!key) return entry;
  return { ...entry, ...(title && { title: title + text }), body: { ...entry.body, [key]: text }, edited: true };
}
