import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { transform } from 'esbuild';

/*
 * The build against the oldest supported browsers (package.json). The versions are those of the first browser of each kind
 * that has the feature, from MDN's compatibility data.
 */
const { browserslist } = JSON.parse(readFileSync('package.json', 'utf8')) as { browserslist: string[] };

const FOLDER = 'dist/web';
const files = (ending: string) =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** What one of the browsers lacks. */
const NEWER_APIS: [name: string, pattern: RegExp][] = [
  ['AbortSignal.any: Chrome 116, Firefox 124, Safari 17.4', /AbortSignal\.any\b/],
  ['Array.toSorted, toReversed, toSpliced: Chrome 110', /\.to(?:Sorted|Reversed|Spliced)\(/],
  ['Array.with: Chrome 110', /\.with\(\w+,/],
  ['Array.fromAsync: Chrome 121, Firefox 115, Safari 16.4', /Array\.fromAsync\b/],
  ['Object.groupBy and Map.groupBy: Chrome 117, Firefox 119, Safari 17.4', /\b(?:Object|Map)\.groupBy\b/],
  ['Promise.withResolvers and try: Chrome 119, Firefox 121, Safari 17.4', /\bPromise\.(?:withResolvers|try)\b/],
  [
    'methods of sets: Chrome 122, Firefox 127, Safari 17',
    /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  ],
  [
    'iterator helpers: Chrome 122, Firefox 131, Safari 18.4',
    /\.(?:values|keys|entries)\(\)\.(?:map|filter|some|every|find|toArray|take|drop|reduce)\(|\bIterator\.from\b/,
  ],
  ['URL.canParse and parse: Chrome 120, Safari 17', /\bURL\.(?:canParse|parse)\(/],
  ['String.isWellFormed: Chrome 111, Firefox 119', /\.(?:isWellFormed|toWellFormed)\(/],
  ['Intl.Segmenter: Firefox 125', /Intl\.Segmenter\b/],
  ['Intl.DurationFormat: Chrome 129', /Intl\.DurationFormat\b/],
  ['RegExp.escape: Chrome 136', /RegExp\.escape\b/],
  ['checkVisibility: Safari 17.4', /\.checkVisibility\(/],
  ['popovers: Chrome 114, Firefox 125, Safari 17', /\.(?:showPopover|togglePopover|hidePopover)\(/],
  ['view transitions: Chrome 111, Firefox 144, Safari 18', /\.startViewTransition\(/],
  ['ARIA attributes as properties: Firefox 119', /\.aria[A-Z]\w+\s*=[^=]/],
  [
    'the v flag of regular expressions: Chrome 112, Firefox 116, Safari 17',
    /new RegExp\([^)]*[`'"][a-u]*v[a-z]*[`'"]\)/,
  ],
];

/** Uses of libraries that ask before they use it, or have a method of that name. */
const GUARDED: [library: string, pattern: RegExp][] = [
  ['zod', /typeof URL\.canParse==`function`\?URL\.canParse\(\w+\)/g],
  ['Radix: a class of its own', /\w+=>\{let \w+=\w+\.toSorted\(\w+\);return \w+\.some\(\(\[/g],
  ['Radix', /typeof \w+\.checkVisibility==`function`&&\w+\.checkVisibility\(/g],
  ['Radix, after it has asked', /if\(!\(\w+\?!\w+\.checkVisibility\(/g],
  ['React: no view transition is in use', /try\{var \w+=\w+\.startViewTransition\(/g],
];

test('the documentation names the oldest supported browsers', () => {
  const named = /Safari ([\d.]+), Chrome and Edge (\d+), Firefox (\d+)/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const [, safari, chrome, firefox] = named;
  expect(browserslist).toEqual([`safari ${safari}`, `chrome ${chrome}`, `edge ${chrome}`, `firefox ${firefox}`]);
});

test('no API is used that a supported browser lacks', () => {
  const scripts = files('.js');
  expect(scripts.length).toBeGreaterThan(10);
  const found = scripts.flatMap(({ name, text }) => {
    const rest = GUARDED.reduce((left, [, pattern]) => left.replace(pattern, ''), text);
    return NEWER_APIS.flatMap(([api, pattern]) => {
      const match = pattern.exec(rest);
      return match ? [`${name}: ${api}: …${rest.slice(Math.max(0, match.index - 60), match.index + 60)}…`] : [];
    });
  });
  expect(found).toEqual([]);
});

test('no syntax is used that a supported browser lacks', async () => {
  // All of them have property escapes; esbuild converts them because their tables of characters differ.
  const supported = { 'regexp-unicode-property-escapes': true };
  const format = async (text: string, target: string[]) => (await transform(text, { target, supported })).code;
  for (const { name, text } of files('.js')) {
    const converted = await format(
      text,
      browserslist.map((browser) => browser.replace(' ', '')),
    );
    expect(converted === (await format(text, ['esnext'])), `${name} has syntax that had to be converted`).toBe(true);
  }
});

/** What would leave a part of the page unusable. Other newer properties, such as `text-wrap`, only refine it. */
const NEWER_CSS: [name: string, pattern: RegExp][] = [
  ['light-dark(): Chrome 123, Firefox 120, Safari 17.5', /light-dark\(/],
  [':has(): Firefox 121', /:has\(/],
  ['nesting: Chrome 112, Firefox 117, Safari 16.5', /[{};]\s*&/],
  ['relative colours: Chrome 119, Firefox 128', /:(?:rgb|hsl|oklch|color)\(from /],
  ['oklch() and oklab(): Chrome 111', /[:, ]okl(?:ch|ab)\(/],
  ['subgrid: Chrome 117', /:subgrid/],
  ['@scope and @starting-style', /@scope|@starting-style/],
];

test('no CSS is used without a fallback that a supported browser lacks', () => {
  const sheets = files('.css');
  expect(sheets.length).toBeGreaterThan(0);
  const found = sheets.flatMap(({ name, text }) => {
    // What is asked for first has its fallback before.
    const always = withoutSupports(text);
    const unguarded = [...NEWER_CSS, ['color-mix(): Chrome 111', /color-mix\(/] as const];
    return unguarded.filter(([, pattern]) => pattern.test(always)).map(([feature]) => `${name}: ${feature}`);
  });
  expect(found).toEqual([]);
});

test('browsers without @property get the initial values of the variables', () => {
  const [sheet] = files('.css').filter(({ text }) => text.includes('@property'));
  expect(sheet?.text).toMatch(/@supports[^{]*-moz-orient:inline[^{]*\{\*,:before,:after,::backdrop\{--tw-/);
});

/** A style sheet without the blocks of `@supports`. */
function withoutSupports(css: string): string {
  let rest = css;
  for (let start = rest.indexOf('@supports'); start >= 0; start = rest.indexOf('@supports')) {
    let [at, depth] = [rest.indexOf('{', start) + 1, 1];
    for (; depth > 0 && at < rest.length; at += 1) depth += rest[at] === '{' ? 1 : rest[at] === '}' ? -1 : 0;
    rest = rest.slice(0, start) + rest.slice(at);
  }
  return rest;
}
