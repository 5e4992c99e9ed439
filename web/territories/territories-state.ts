import { useMemo } from 'react';
import type { Territory } from '#contract/territories/territory.ts';
import { useTextDraft } from '#web/kit/drafts.ts';
import { useUrlCodec } from '#web/kit/url-state.ts';
import { formatDraft, listChanges, parseDraft, type TerritoryDraft } from './territory-draft.ts';

/** The chosen person, as the URL has it. */
interface TerritoriesState {
  userId: number | undefined;
}

const NO_ONE: TerritoriesState = { userId: undefined };

export function parseTerritories(search: string): TerritoriesState {
  const user = new URLSearchParams(search).get('user') ?? '';
  return { userId: /^[1-9]\d{0,9}$/.test(user) ? Number(user) : undefined };
}

export const formatTerritories = ({ userId }: TerritoriesState) => (userId === undefined ? '' : `user=${userId}`);

export function useChosenPerson() {
  const [{ userId }, change] = useUrlCodec<TerritoriesState>({
    defaults: NO_ONE,
    parse: parseTerritories,
    format: formatTerritories,
  });
  return [userId, (next: number | undefined) => change(() => ({ userId: next }))] as const;
}

/** What is changed and not saved yet survives a reload and an expired session. */
export function useTerritoryDraft(viewerId: number, stored: readonly Territory[]) {
  const [text, setText] = useTextDraft(viewerId, 'territories');
  const draft = useMemo(() => parseDraft(text), [text]);
  const setDraft = (next: TerritoryDraft) => setText(listChanges(stored, next).length ? formatDraft(next) : '');
  return [draft, setDraft] as const;
}
