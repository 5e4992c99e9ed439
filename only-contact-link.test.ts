import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const URLS = 'web/kit/ui/contact-urls.ts';
const LINK = 'web/kit/ui/ContactLink.tsx';

const sources = readdirSync('web', { recursive: true, encoding: 'utf8' })
  .map((path) => join('web', path))
  .filter((path) => /\.(tsx?|html|css)$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const listWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test('there is no other way to a number or an address than the one component', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(listWith(/\b(?:tel|mailto|sms|callto|sip|whatsapp):|wa\.me/)).toEqual([URLS]);
  expect(listWith(/\bto(?:Tel|Mailto)Url\b/)).toEqual([LINK, URLS]);
});

test('the component itself is used where objections are checked, and for the address of the support', () => {
  expect(listWith(/(?:import|export) \{[^}]*\bContact(?:Link|Button|Icon)\b[^}]*\} from/).sort()).toEqual([
    'web/contact-rules/CheckedLink.tsx',
    'web/shell/HelpPopover.tsx',
  ]);
});
