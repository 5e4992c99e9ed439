/** The href of an http or https URL without user-info. Anything else is undefined, and is shown as text. */
export function toWebUrl(text: string): string | undefined {
  const url = parse(text.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return undefined;
  // Unchanged where browsers cannot parse it in another way.
  return /^https?:\/\/[\x21-\x7e]+$/i.test(text.trim()) && !/[\\"'<>`]/.test(text) ? text.trim() : url.href;
}

export function toTelUrl(text: string): string | undefined {
  if (!/^[0-9 +()./#-]+(?:(?:x|ext)[0-9 .]+)?$/i.test(text.trim()) || !/[0-9]/.test(text)) return undefined;
  const [number = '', extension] = text.split(/x|ext|#/i);
  const digits = (part: string) => part.replace(/[^0-9+]/g, '');
  return `tel:${digits(number)}${extension ? `;ext=${digits(extension)}` : ''}`;
}

export function toMailtoUrl(text: string): string | undefined {
  const [, name, host] = /^([^\s@<>,;:"?&]{1,64})@([^\s@<>,;:"?&]{1,190})$/.exec(text.trim()) ?? [];
  return name && host ? `mailto:${encodeURIComponent(name)}@${encodeURIComponent(host)}` : undefined;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
