/** The saved text, and below it every line of the draft that it lacks. */
export function mergeNotes(saved: string, draft: string): string {
  const savedLines = new Set(saved.split('\n').map((line) => line.trim()));
  const added = draft
    .split('\n')
    .filter((line) => line.trim() === '' || !savedLines.has(line.trim()))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return [saved.trimEnd(), added].filter(Boolean).join('\n\n');
}
