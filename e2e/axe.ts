import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FAILING_IMPACTS = ['serious', 'critical'];

/** Fails where axe finds a serious or critical violation on the current screen, in the light or the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated from outside the page, so that its content security policy can stay as it is.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  // Reduced motion: a toast that starts to fade out during the scan would fail the contrast rule.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await findViolations(page, {})).toEqual([]);
  // The themes differ in nothing but colours.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await findViolations(page, { runOnly: ['color-contrast'] })).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
}

/** Filtered in the page: passing checks list every element, and sending those out took longer than the scan itself. */
async function findViolations(page: Page, options: RunOptions) {
  return page.evaluate(
    async ({ options, impacts }) => {
      const nextFrame = () => new Promise(requestAnimationFrame);
      // A finite animation that is still running has not reached its final colours.
      const isRunning = ({ playState, effect }: Animation) =>
        playState === 'running' && effect?.getComputedTiming().endTime !== Infinity;
      do await nextFrame();
      while (document.getAnimations().some(isRunning));

      const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
      const { violations } = await axe.run({ ...options, resultTypes: ['violations'] });
      return violations
        .filter(({ impact }) => impacts.includes(impact ?? ''))
        .map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
    },
    { options, impacts: FAILING_IMPACTS },
  );
}
