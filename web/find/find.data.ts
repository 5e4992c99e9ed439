import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FIND_MIN_LENGTH, find } from '#contract/find/find.calls.ts';
import { read } from '#web/kit/api.ts';

/** What is found for the text; the previous results stay while the next ones load. */
export function useFind(text: string) {
  const q = text.trim();
  return useQuery({
    ...read(find, { query: { q } }),
    enabled: q.length >= FIND_MIN_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
}
