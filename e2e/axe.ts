import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = ['serious', 'critical'];

/**
 * Fails where axe finds something serious on the page as it stands, and says where. Every story tries both themes, which
 * differ in nothing but colours: in the dark one, these alone are looked at.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  // Evaluated from outside the page, so that its content security policy can stay as it is.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    return (globalThis as unknown as { axe: Axe }).axe.run(dark ? { runOnly: ['color-contrast'] } : {});
  });
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
