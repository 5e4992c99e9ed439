// npm run icons: writes the icons of the installed app to web/public/icons, made of the mark in web/public/favicon.svg.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';
import { findChromium } from '../e2e/chromium.ts';
import { at } from './setup/paths.mjs';

const FRONT = '#103d31';
const AWNING = '#f6f3ec';
const FOLDER = at('web/public/icons');
/** Of the 32 units of the mark. */
const SIZE = 32;
/** Systems cut a maskable icon to a shape of their own, of which only a circle of 80% is certain. */
const IN_CIRCLE = 0.82;
/** iOS rounds the corners by itself. */
const IN_CORNERS = 0.92;

const mark = await readFile(at('web/public/favicon.svg'), 'utf8');
/** What is on the tile of the mark. */
const shapes = mark.replace(/^[\s\S]*<rect[^>]*>/, '').replace('</svg>', '');

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%" viewBox="0 0 ${SIZE} ${SIZE}">${content}</svg>`;
const fullTile = `<rect width="${SIZE}" height="${SIZE}" fill="${FRONT}"/>`;
const scaled = (scale: number) =>
  svg(
    `${fullTile}<g transform="translate(${(SIZE * (1 - scale)) / 2} ${(SIZE * (1 - scale)) / 2}) scale(${scale})">${shapes}</g>`,
  );
const line = (paths: string) =>
  svg(
    `<circle cx="16" cy="16" r="16" fill="${FRONT}"/><g transform="translate(7 7) scale(.75)" fill="none" stroke="${AWNING}" ` +
      `stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">${paths}</g>`,
  );

const ICONS: Record<string, { size: number; content: string }> = {
  'icon-192': { size: 192, content: mark },
  'icon-512': { size: 512, content: mark },
  'maskable-192': { size: 192, content: scaled(IN_CIRCLE) },
  'maskable-512': { size: 512, content: scaled(IN_CIRCLE) },
  'apple-touch-icon': { size: 180, content: scaled(IN_CORNERS) },
  'shortcut-today': {
    size: 96,
    content: line('<rect x="3" y="4" width="18" height="17" rx="2"/><path d="M3 10h18M8 2v4M16 2v4M9 15.5l2 2 4-4"/>'),
  },
  'shortcut-add': { size: 96, content: line('<path d="M12 4v16M4 12h16"/>') },
  'shortcut-map': {
    size: 96,
    content: line('<path d="M12 22s7-6.5 7-12a7 7 0 0 0-14 0c0 5.5 7 12 7 12z"/><circle cx="12" cy="10" r="2.5"/>'),
  },
};

await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  for (const [name, { size, content }] of Object.entries(ICONS)) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(
      `<style>html, body { margin: 0; height: 100% } svg { display: block; width: 100%; height: 100% }</style>${content}`,
    );
    await writeFile(`${FOLDER}/${name}.png`, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
