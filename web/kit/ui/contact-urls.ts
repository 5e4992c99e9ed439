// Only ContactLink.tsx makes links of these: only-contact-link.test.ts.

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

/** Whether a text is a number that a phone can call. */
export const isDialable = (text: string) => toTelUrl(text) !== undefined;
