import { useState } from 'react';
import type { Body } from '#contract/call.ts';
import { type ActivityType, activityType } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { addActivity } from '#contract/leads/leads.calls.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { deleteDraft, readDraft, saveDraft, useDraft } from '#web/kit/storage/drafts.ts';
import { logDraftKey } from '#web/leads/log/log.data.ts';
import { useAddActivity } from '#web/leads/profile/profile.data.ts';
import { commentDraftKey } from './comments.data.ts';

export type ActivityDraft = ReturnType<typeof useActivityDraft>;

const draftKey = (uuid: string) => `${uuid}.activity`;

/** The activity in the form, stored as a draft until it is added. */
export function useActivityDraft(leadRef: LeadRef, uuid: string, viewerId: number) {
  const key = draftKey(uuid);
  const draft = useDraft(viewerId, key);
  const [type, setType] = useState(() => activityType.safeParse(draft?.type).data ?? 'call');
  const add = useAddActivity(leadRef);
  const idempotencyKey = useIdempotencyKey();

  const store = (text: string, type: ActivityType) => {
    if (text === '') deleteDraft(viewerId, key);
    else saveDraft(viewerId, key, { text, version: 0, type });
  };
  const notes = draft?.text ?? '';
  const save = async (body: Body<typeof addActivity.byId>) => {
    if (add.isPending) return;
    await add.mutateAsync({ ...body, key: idempotencyKey.keyFor(body) });
    idempotencyKey.reset();
    // Text typed while the mutation was pending stays a draft.
    if (readDraft(viewerId, key)?.text.trim() === body.notes) deleteDraft(viewerId, key);
  };

  return {
    type,
    notes,
    unsaved: notes.trim() !== '',
    saving: add.isPending,
    changeType: (next: ActivityType) => {
      setType(next);
      store(notes, next);
    },
    changeNotes: (text: string) => store(text, type),
    save,
    /** Rejects where the activity could not be added. */
    saveBeforeLeaving: async () => {
      if (notes.trim() !== '') await save({ type, notes: notes.trim() });
    },
  };
}

/** The unsaved notes, activity, log and comment of a lead, joined; empty where there are none. */
export const readUnsavedText = (viewerId: number, uuid: string) =>
  [uuid, draftKey(uuid), logDraftKey(uuid), commentDraftKey(uuid)]
    .map((key) => readDraft(viewerId, key)?.text)
    .filter(Boolean)
    .join('\n\n');
