/** Whether every word of the text is the beginning of a word of the label. */
export function matchesWords(label: string, text: string): boolean {
  if (!text.trim()) return true;
  const [words, starts] = [toWords(label), toWords(text)];
  return starts.length > 0 && starts.every((start) => words.some((word) => word.startsWith(start)));
}

const toWords = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
