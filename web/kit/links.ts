/** The href of an http or https URL without user-info. Anything else is undefined, and is shown as text. */
export function toWebUrl(text: string): string | undefined {
  const url = parse(text.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return undefined;
  // Unchanged where browsers cannot parse it in another way.
  return /^https?:\/\/[\x21-\x7e]+$/i.test(text.trim()) && !/[\\"'<>`]/.test(text) ? text.trim() : url.href;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
