import { isReservedTag } from '#contract/leads/lead.ts';

const MOST = 6;

/** Known tags that fit what is being typed and are not on the lead yet. */
export function suggestTags(known: string[], present: string[], typed: string): string[] {
  const taken = new Set(present.map((tag) => tag.toLowerCase()));
  const sought = typed.trim().toLowerCase();
  if (!sought) return [];
  return known
    .filter((tag) => !isReservedTag(tag) && !taken.has(tag.toLowerCase()) && tag.toLowerCase().includes(sought))
    .slice(0, MOST);
}
