import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeBuild } from './build-worker.ts';

let folder: string;
const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'worker-'));
  mkdirSync(join(folder, 'assets'));
  write(
    'index.html',
    '<link href="/assets/latin-1a.woff2" /><script src="/theme.js"></script>' +
      '<script type="module" crossorigin src="/assets/index-1a.js"></script>',
  );
  for (const name of ['index-1a.js', 'Today-2b.js', 'index-3c.css', 'latin-1a.woff2', 'greek-4d.woff2']) {
    write(`assets/${name}`, '');
  }
  for (const name of ['theme.js', 'favicon.svg', 'manifest.webmanifest', 'robots.txt']) write(name, '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the worker stores scripts, styles and what the page names', async () => {
  expect(await describeBuild(folder)).toEqual({
    version: expect.stringMatching(/^[0-9a-f]{12}$/),
    entry: '/assets/index-1a.js',
    files: [
      ...['/theme.js', '/favicon.svg'],
      ...['/assets/Today-2b.js', '/assets/index-1a.js', '/assets/index-3c.css', '/assets/latin-1a.woff2'],
    ],
  });
});

test('its version changes with every file', async () => {
  const versions = [(await describeBuild(folder)).version];
  const changed = async () => versions.push((await describeBuild(folder)).version);
  write('theme.js', 'another');
  await changed();
  write('assets/Leads-5e.js', '');
  await changed();
  expect(new Set(versions).size).toBe(3);
});
