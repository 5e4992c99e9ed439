import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync('web/kit/style/tokens.css', 'utf8');

type Pair = readonly [light: string, dark: string];

const colours = new Map<string, Pair>();
for (const [, name = '', light, dark, both] of css.matchAll(
  /--color-([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g,
)) {
  colours.set(name, [light ?? both ?? '', dark ?? both ?? '']);
}

const BACKGROUNDS = ['paper', 'surface', 'sunken', 'raised'];
const TONES = ['good', 'warn', 'info', 'awning', 'new', 'danger', 'pine'];

const PINS = ['new', 'progress', 'recontact', 'advanced', 'won', 'lost'].map((status) => `pin-${status}`);

const TEXT: [string, string[]][] = [
  ['ink', [...BACKGROUNDS, ...TONES.map((tone) => `${tone}-soft`)]],
  ['muted', BACKGROUNDS],
  ['on-pine', ['pine', 'pine-strong']],
  ['on-danger', ['danger', 'danger-strong']],
  ['on-new', ['new']],
  ['on-pin', PINS],
  ['on-front', ['front', 'front-deep']],
  ['on-front-muted', ['front', 'front-deep']],
  ...TONES.map((tone): [string, string[]] => [`${tone}-text`, [`${tone}-soft`, ...BACKGROUNDS]]),
];

const EDGES: [string, string[]][] = [
  ['control', ['paper', 'surface', 'raised']],
  ['pine', BACKGROUNDS],
  ['danger', BACKGROUNDS],
  ['new', BACKGROUNDS],
];

const cases = (pairs: [string, string[]][], least: number) =>
  pairs.flatMap(([front, backs]) =>
    backs.flatMap((back) => (['light', 'dark'] as const).map((theme) => ({ front, back, theme, least }))),
  );

test.each([...cases(TEXT, 4.5), ...cases(EDGES, 3)])('$front on $back in $theme: at least $least:1', (pair) => {
  const index = pair.theme === 'light' ? 0 : 1;
  const [front, back] = [colours.get(pair.front)?.[index], colours.get(pair.back)?.[index]];
  expect(contrast(front ?? '', back ?? '')).toBeGreaterThanOrEqual(pair.least);
});

const SCALE = [1, 2, 3, 4, 5].map((step) => `scale-${step}`);

test.each([
  { theme: 'light', index: 0, background: 1 },
  { theme: 'dark', index: 1, background: 0 },
] as const)('the steps of a map go from the background away in $theme, each at least 1.3:1 from the next', (each) => {
  const steps = SCALE.map((name) => colours.get(name)?.[each.index] ?? '');
  const distances = steps.map((step) => Math.abs(luminance(step) - each.background));
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  for (const [nth, step] of steps.slice(1).entries()) expect(contrast(step, steps[nth] ?? '')).toBeGreaterThan(1.3);
});

/** As WCAG 2 defines it. */
function contrast(one: string, other: string) {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string) {
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
