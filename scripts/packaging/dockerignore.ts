/** Which paths a build is given, by the rules of a .dockerignore; the last rule that fits a path decides. */
export function dockerContext(rules: string): (path: string) => boolean {
  const patterns = rules
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ given: line.startsWith('!'), matches: toPattern(line.replace(/^!/, '')) }));
  return (path) => patterns.reduce((given, rule) => (rule.matches.test(path) ? rule.given : given), true);
}

/** A rule for a folder holds for everything in it. */
function toPattern(rule: string): RegExp {
  const source = rule
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}
