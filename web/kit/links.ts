/** What may be followed: an http or https address without user-info. Anything else is undefined, and stays text. */
export function toWebUrl(typed: string): string | undefined {
  const url = parse(typed.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return undefined;
  // As it was typed, where a browser reads it in one way only.
  return /^https?:\/\/[\x21-\x7e]+$/i.test(typed.trim()) && !/[\\"'<>`]/.test(typed) ? typed.trim() : url.href;
}

export function toTelUrl(typed: string): string | undefined {
  if (!/^[0-9 +()./#-]+(?:(?:x|ext)[0-9 .]+)?$/i.test(typed.trim()) || !/[0-9]/.test(typed)) return undefined;
  const [number = '', extension] = typed.split(/x|ext|#/i);
  const digits = (part: string) => part.replace(/[^0-9+]/g, '');
  return `tel:${digits(number)}${extension ? `;ext=${digits(extension)}` : ''}`;
}

export function toMailtoUrl(typed: string): string | undefined {
  const [, name, host] = /^([^\s@<>,;:"?&]{1,64})@([^\s@<>,;:"?&]{1,190})$/.exec(typed.trim()) ?? [];
  return name && host ? `mailto:${encodeURIComponent(name)}@${encodeURIComponent(host)}` : undefined;
}

/** A path of this app that a visitor may be sent on to. Everything else could lead away from it. */
export function isLocalPath(value: unknown): value is string {
  // Browsers drop tabs and line breaks inside addresses, so "/\t/evil.example" would lead away too.
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) && !hasControlCharacter(value);
}

const hasControlCharacter = (value: string) =>
  [...value].some((character) => character <= ' ' || character === '\u007f');

function parse(typed: string): URL | undefined {
  try {
    return new URL(typed);
  } catch {
    return undefined;
  }
}
