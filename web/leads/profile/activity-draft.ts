import { useState } from 'react';
import type { Body } from '#contract/call.ts';
import { type ActivityType, activityType } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { addActivity } from '#contract/leads/leads.calls.ts';
import { deleteDraft, readDraft, saveDraft, useDraft } from '#web/kit/drafts.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { useAddActivity } from '#web/leads/leads.data.ts';

export type ActivityDraft = ReturnType<typeof useActivityDraft>;

const draftKey = (uuid: string) => `${uuid}.activity`;

/** The activity that is being written down. It is kept as a draft until it is added. */
export function useActivityDraft(name: LeadRef, uuid: string, viewerId: number) {
  const about = draftKey(uuid);
  const draft = useDraft(viewerId, about);
  const [type, setType] = useState(() => activityType.safeParse(draft?.type).data ?? 'call');
  const add = useAddActivity(name);
  const action = useIdempotencyKey();

  const keep = (text: string, type: ActivityType) => {
    if (text === '') deleteDraft(viewerId, about);
    else saveDraft(viewerId, about, { text, version: 0, type });
  };
  const notes = draft?.text ?? '';

  return {
    type,
    notes,
    unsaved: notes.trim() !== '',
    saving: add.isPending,
    changeType: (next: ActivityType) => {
      setType(next);
      keep(notes, next);
    },
    changeNotes: (text: string) => keep(text, type),
    save: async (body: Body<typeof addActivity.byId>) => {
      if (add.isPending) return;
      await add.mutateAsync({ ...body, key: action.keyFor(body) });
      action.reset();
      // What was typed while it was being saved is a draft of its own.
      if (readDraft(viewerId, about)?.text.trim() === body.notes) deleteDraft(viewerId, about);
    },
  };
}

/** Everything typed about a lead and not saved yet, or nothing. */
export const readUnsavedText = (viewerId: number, uuid: string) =>
  [uuid, draftKey(uuid)]
    .map((about) => readDraft(viewerId, about)?.text)
    .filter(Boolean)
    .join('\n\n');
