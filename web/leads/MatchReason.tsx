import { type LeadMatch, MATCHED_FIELD_LABEL, type MatchedField } from '#contract/leads/find/lead-match.ts';
import { splitMatches } from './highlight.ts';

/** "Phone: 0114 496 0716", with the part marked that was searched for. */
export function MatchReason({ match, query }: { match: LeadMatch; query: string }) {
  return (
    <>
      {match.name ?? MATCHED_FIELD_LABEL[match.field]}: <Marked text={match.text} query={query} field={match.field} />
    </>
  );
}

export function Marked({ text, query, field }: { text: string; query: string; field: MatchedField }) {
  return splitMatches(text, query, field).map((part, index) =>
    part.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
      <mark key={index} className="rounded-sm bg-warn-soft font-semibold text-warn-text">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
