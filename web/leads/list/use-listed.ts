import { useMemo } from 'react';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { keepKnownConditions, parseOwnSort } from '#contract/leads/own-fields/own-filter.ts';
import { useOwnFieldsQuery } from '#web/settings/own-fields.data.ts';
import { DEFAULT_STATE, type ListState } from './list-state.ts';

/**
 * What is listed: a view or a link may filter or sort by fields of the team's own that are gone, which is ignored and said
 * by a chip. Which are gone is known as soon as the fields are loaded, or cannot be.
 */
export function useListed(state: ListState): { listed: ListState; isKnown: boolean } {
  const { data, isPending } = useOwnFieldsQuery();
  const listed = useMemo(() => (data ? withKnownFields(state, data.fields) : state), [state, data]);
  return { listed, isKnown: !isPending || !usesOwnFields(state) };
}

const usesOwnFields = ({ own, sort }: ListState) => own !== '' || parseOwnSort(sort) !== undefined;

function withKnownFields(state: ListState, fields: OwnField[]): ListState {
  if (!usesOwnFields(state)) return state;
  const sortedBy = parseOwnSort(state.sort)?.fieldId;
  const isSorted = sortedBy === undefined || fields.some(({ id }) => id === sortedBy);
  return { ...state, own: keepKnownConditions(state.own, fields), sort: isSorted ? state.sort : DEFAULT_STATE.sort };
}
