/** What the next save of a lead's notes, or of an activity, accepts. */
export const MAX_NOTES = 20_000;
export const MAX_ACTIVITY_NOTES = 5_000;

/** A part begins with a line, unless that is longer than this. */
const MAX_LINE = 500;

/** The newest part of joined notes, which can be saved, and what is older, in parts of an activity each. */
export function splitNotes(notes: string): { older: string[]; newest: string } {
  const start = findStart(notes, MAX_NOTES);
  const older: string[] = [];
  let rest = notes.slice(0, start).trimEnd();
  while (rest) {
    const from = findStart(rest, MAX_ACTIVITY_NOTES);
    older.unshift(rest.slice(from));
    rest = rest.slice(0, from).trimEnd();
  }
  return { older, newest: notes.slice(start) };
}

/** Where the last part of at most `max` characters begins. */
function findStart(text: string, max: number): number {
  if (text.length <= max) return 0;
  const start = text.length - max;
  const lineEnd = text.indexOf('\n', start - 1);
  if (lineEnd !== -1 && lineEnd - start < MAX_LINE) return lineEnd + 1;
  const isInsidePair = /^\p{Surrogate}/u.test(text.slice(start, start + 2));
  return isInsidePair ? start + 1 : start;
}
