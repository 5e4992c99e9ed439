import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = ['serious', 'critical'];

/** Fails where axe finds something serious on the page as it stands, in the light or the dark theme, and says where. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated from outside the page, so that its content security policy can stay as it is.
  await page.evaluate(source);
  // Without movement: a toast that begins to fade out meanwhile would be found hard to read.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectNothingGrave(page, {});
  // The themes differ in nothing but colours.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectNothingGrave(page, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
}

async function expectNothingGrave(page: Page, options: RunOptions): Promise<void> {
  await settled(page);
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: Axe }).axe.run(given),
    options,
  );
  const grave = violations.filter(({ impact }) => GRAVE.includes(impact ?? ''));
  expect(grave.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }))).toEqual([]);
}

/** What is still fading in has not yet the contrast it will have: waits until every movement that ends has ended. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  );
}

interface Axe {
  run(options: RunOptions): Promise<AxeResults>;
}
