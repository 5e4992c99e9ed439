import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { changeLeadNotes } from '#contract/leads/leads.calls.ts';
import { mergeNotes } from '#contract/leads/merge-notes.ts';
import { ApiError } from '#web/kit/api.ts';
import { isKept } from '#web/kit/outbox/kept.ts';
import { type Draft, deleteDraft, readDraft, saveDraft, useIsStored } from '#web/kit/storage/drafts.ts';
import { invalidateLeads, patchLeadInCache, sendLeadChange } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';

export type Notes = ReturnType<typeof useNotes>;
type SavedNotes = Pick<Lead, 'notes' | 'notesVersion'>;

/**
 * The notes of a lead, with the viewer's draft. A draft is based on a version of the saved notes; where another user has
 * saved a newer version, the two are in conflict until the viewer decides, and neither text is lost before.
 */
export function useNotes(leadRef: LeadRef, lead: Lead, viewerId: number) {
  const queries = useQueryClient();
  const { id, uuid, notes: saved, notesVersion } = lead;
  const [draft, setDraft] = useState(() => readDraft(viewerId, uuid));
  // A version that arrives while the viewer types is compared when they save, so that it does not interrupt them.
  const [comparedVersion, setComparedVersion] = useState(notesVersion);

  const storeDraft = (next: Draft | undefined) => {
    if (next) saveDraft(viewerId, uuid, next);
    else deleteDraft(viewerId, uuid);
    setDraft(next);
  };

  const mutation = useMutation({
    mutationFn: ({ text, version }: Draft) =>
      sendLeadChange(queries, changeLeadNotes, leadRef, {
        body: { notes: text, notesVersion: version },
        kind: 'notes',
        title: 'Notes',
      }),
    onSuccess: (lead, { text }) => {
      if (isKept(lead)) {
        const typed = readDraft(viewerId, uuid);
        return storeDraft(typed?.text === text ? undefined : typed);
      }
      patchLeadInCache(queries, lead);
      // Text typed while the mutation was pending is a draft on the version just saved.
      const latest = readDraft(viewerId, uuid);
      storeDraft(latest && latest.text !== text ? { ...latest, version: lead.notesVersion } : undefined);
      void invalidateLeads(queries);
    },
    onError: (error) => {
      const current = findCurrentNotes(error);
      if (!current) return;
      patchLeadInCache(queries, { id, ...current });
      setComparedVersion(current.notesVersion);
    },
    meta: { success: 'Notes updated', errorTitle: 'Notes update failed', undo: undoByToast(queries) },
  });

  const stored = useIsStored(viewerId, uuid);
  const unsaved = draft !== undefined && draft.text !== saved;
  const save = (next = draft) => {
    if (!mutation.isPending && next && next.text !== saved) mutation.mutate(next);
  };
  /** Rejects where the notes could not be saved. */
  const saveBeforeLeaving = async () => {
    if (unsaved && !mutation.isPending) await mutation.mutateAsync(draft);
  };

  return {
    text: unsaved ? draft.text : saved,
    unsaved,
    /** Whether a reload restores what is not saved. */
    stored,
    saving: mutation.isPending,
    changeText: (text: string) =>
      storeDraft(text === saved ? undefined : { text, version: unsaved ? draft.version : notesVersion }),
    save: () => save(),
    saveBeforeLeaving,
    /** The text that another user has saved since the draft was begun; undefined where there is no known conflict. */
    conflictingText: unsaved && draft.version < comparedVersion ? saved : undefined,
    keepSaved: () => storeDraft(undefined),
    keepMine: () => {
      const mine = { text: draft?.text ?? saved, version: notesVersion };
      storeDraft(mine);
      save(mine);
    },
    keepBoth: () => storeDraft({ text: mergeNotes(saved, draft?.text ?? ''), version: notesVersion }),
  };
}

/** The `stale_notes` refusal has the current notes in its body. */
function findCurrentNotes(error: Error): SavedNotes | undefined {
  if (!(error instanceof ApiError) || error.code !== 'stale_notes') return undefined;
  return (error.body as { current?: SavedNotes }).current;
}
