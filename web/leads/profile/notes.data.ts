import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { changeLeadNotes } from '#contract/leads/leads.calls.ts';
import { ApiError } from '#web/kit/api.ts';
import { type Draft, deleteDraft, readDraft, saveDraft } from '#web/kit/drafts.ts';
import { outdateLeads, putLead, sendTo } from '#web/leads/lead-reads.data.ts';

export type Notes = ReturnType<typeof useNotes>;
type Saved = Pick<Lead, 'notes' | 'notesVersion'>;

/**
 * The notes of a lead as somebody is writing them. What is typed is a draft on a version of the saved notes; when those
 * have moved on, the two stand in conflict until the person has decided, and neither is lost before.
 */
export function useNotes(name: LeadRef, lead: Lead, viewerId: number) {
  const queries = useQueryClient();
  const { id, uuid, notes: saved, notesVersion } = lead;
  const [draft, setDraft] = useState(() => readDraft(viewerId, uuid));

  const put = (next: Draft | undefined) => {
    if (next) saveDraft(viewerId, uuid, next);
    else deleteDraft(viewerId, uuid);
    setDraft(next);
  };

  const save = useMutation({
    mutationFn: ({ text, version }: Draft) =>
      sendTo(changeLeadNotes, name, { body: { notes: text, notesVersion: version } }),
    onSuccess: (lead, { text }) => {
      putLead(queries, lead);
      // Read again, because typing goes on while it is being saved.
      const latest = readDraft(viewerId, uuid);
      put(latest && latest.text !== text ? { ...latest, version: lead.notesVersion } : undefined);
      void outdateLeads(queries);
    },
    onError: (error) => {
      const current = currentNotes(error);
      if (current) putLead(queries, { id, ...current });
    },
    meta: { success: 'Notes updated', errorTitle: 'Notes update failed' },
  });

  const unsaved = draft !== undefined && draft.text !== saved;
  const submit = (next = draft) => {
    if (!save.isPending && next && next.text !== saved) save.mutate(next);
  };

  return {
    text: unsaved ? draft.text : saved,
    unsaved,
    saving: save.isPending,
    type: (text: string) => put(text === saved ? undefined : { text, version: unsaved ? draft.version : notesVersion }),
    submit: () => submit(),
    /** What somebody else saved meanwhile, while it is undecided what becomes of it. */
    theirs: unsaved && draft.version !== notesVersion ? saved : undefined,
    useTheirs: () => put(undefined),
    useMine: () => {
      const mine = { text: draft?.text ?? saved, version: notesVersion };
      put(mine);
      submit(mine);
    },
    useBoth: () => put({ text: keepBoth(saved, draft?.text ?? ''), version: notesVersion }),
  };
}

/** Their text, and below it every line of mine that is not in it. */
export function keepBoth(theirs: string, mine: string): string {
  const present = new Set(theirs.split('\n').map((line) => line.trim()));
  const added = mine.split('\n').filter((line) => line.trim() === '' || !present.has(line.trim()));
  const below = added
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return [theirs.trimEnd(), below].filter(Boolean).join('\n\n');
}

/** A refusal for stale notes brings along what they are now. */
function currentNotes(error: Error): Saved | undefined {
  if (!(error instanceof ApiError) || error.code !== 'stale_notes') return undefined;
  return (error.body as { current?: Saved }).current;
}
