import { clsx } from 'clsx';
import { createContext, use } from 'react';
import type { LeadMatch } from '#contract/leads/find/lead-match.ts';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { MatchReason } from '#web/leads/MatchReason.tsx';

/** The text that the list is searched for. */
export const SearchedText = createContext('');

/** A line with the field that the text was found in; nothing where that is the name, or where nothing was searched for. */
export function WhyFound({ match, className }: { match: LeadMatch | null; className?: string }) {
  const query = use(SearchedText);
  if (!match || !query) return null;
  return (
    <span className={clsx('block text-xs text-muted [overflow-wrap:anywhere]', className)}>
      <span className="sr-only">Found by </span>
      <MatchReason match={match} query={query} />
    </span>
  );
}

/** Above a list whose leads match only after a typing error. */
export function SimilarNotice({ q }: { q: string }) {
  return <Notice>No exact match for “{q}”. These leads are similar.</Notice>;
}
