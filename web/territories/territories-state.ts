import { useMemo } from 'react';
import { z } from 'zod';
import { MAX_ID } from '#contract/fields.ts';
import type { Territory } from '#contract/territories/territory.ts';
import { useUrlState } from '#web/kit/navigation/url-state.ts';
import { useTextDraft } from '#web/kit/storage/drafts.ts';
import { formatDraft, listChanges, parseDraft, type TerritoryDraft } from './territory-draft.ts';

/** The chosen person, as the URL has it. */
interface TerritoriesState {
  user: number | undefined;
}

const params = z.object({ user: z.coerce.number().int().min(1).max(MAX_ID).optional().catch(undefined) });

export function useChosenPerson() {
  const [{ user }, change] = useUrlState<TerritoriesState>(params, { user: undefined });
  return [user, (next: number | undefined) => change(() => ({ user: next }))] as const;
}

/** What is changed and not saved yet survives a reload and an expired session. */
export function useTerritoryDraft(viewerId: number, stored: readonly Territory[]) {
  const [text, setText] = useTextDraft(viewerId, 'territories');
  const draft = useMemo(() => parseDraft(text), [text]);
  const setDraft = (next: TerritoryDraft) => setText(listChanges(stored, next).length ? formatDraft(next) : '');
  return [draft, setDraft] as const;
}
