/** "Gate 12" and "Gate 13" are two shops, however alike their letters are. */
const OTHER_NUMBER = 0.5;

/** How alike two cleaned names are, from 0 to 1: by their letters, or by their words where these are abbreviated. */
export function nameSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const similarity = Math.max(trigramSimilarity(a, b), wordSimilarity(a, b));
  return haveOtherNumbers(a, b) ? Math.min(similarity, OTHER_NUMBER) : similarity;
}

function haveOtherNumbers(a: string, b: string): boolean {
  const [first, second] = [a, b].map((name) => (name.match(/\d+/g) ?? []).sort().join(' '));
  return Boolean(first && second) && first !== second;
}

/** As pg_trgm's similarity(). */
function trigramSimilarity(a: string, b: string): number {
  const [first, second] = [trigrams(a), trigrams(b)];
  const shared = [...first].filter((trigram) => second.has(trigram)).length;
  return shared / (first.size + second.size - shared || 1);
}

function trigrams(name: string): Set<string> {
  const found = new Set<string>();
  for (const word of splitWords(name)) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) found.add(padded.slice(at, at + 3));
  }
  return found;
}

/** The share of words with a counterpart; of an abbreviation or a misspelling it counts in part. */
function wordSimilarity(a: string, b: string): number {
  const [first, second] = [splitWords(a), splitWords(b)];
  const unmatched = [...second];
  let matched = 0;
  for (const word of first) {
    const scores = unmatched.map((other) => compareWords(word, other));
    const best = Math.max(0, ...scores);
    if (!best) continue;
    matched += best;
    unmatched.splice(scores.indexOf(best), 1);
  }
  return (2 * matched) / (first.length + second.length || 1);
}

const ABBREVIATION = 0.8;
const MAX_TYPOS = 2;

function compareWords(a: string, b: string): number {
  if (a === b) return 1;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.startsWith(short)) return ABBREVIATION;
  const maxTypos = Math.min(MAX_TYPOS, Math.floor(short.length / 4));
  if (long.length - short.length > maxTypos || maxTypos === 0) return 0;
  const typos = countEdits(short, long);
  return typos <= maxTypos ? 1 - typos / long.length : 0;
}

/** Letters added, removed, replaced or swapped with their neighbour (the optimal string alignment distance). */
function countEdits(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const replaced = (previous[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      const swapped = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      const costs = [(previous[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, replaced];
      current[at] = Math.min(...costs, swapped ? (older[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY);
    }
    older = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

const splitWords = (name: string) => name.split(' ').filter(Boolean);
