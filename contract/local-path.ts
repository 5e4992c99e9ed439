/** Whether this is a path of the app, to which a redirect is safe; anything else could be another site. */
export function isLocalPath(value: unknown): value is string {
  // Browsers drop tabs and line breaks inside URLs, so "/\t/evil.example" is another site, too.
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) && !hasControlCharacter(value);
}

const hasControlCharacter = (value: string) =>
  [...value].some((character) => character <= ' ' || character === '\u007f');
