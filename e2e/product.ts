import { test as base, expect } from '@playwright/test';
import { type Accounts, createAccounts } from './accounts.ts';
import { collectBrowserErrors } from './browser-errors.ts';
import { type FakeProviders, startFakeProviders } from './fake-providers.ts';
import { findLostFocus, noteFocus } from './lost-focus.ts';
import { readProductLogs, type StartedProduct, startProduct } from './started-product.ts';

interface WorkerFixtures {
  /** One product for all stories of a worker: each creates its own accounts and leads. */
  product: StartedProduct;
  accounts: Accounts;
  fakeProviders: FakeProviders;
}

interface TestFixtures {
  /** Starts a product besides the worker's, and stops it after the story. */
  startOwnProduct: typeof startProduct;
  /** Browser errors that a story causes on purpose; it adds them before it does. */
  expectedErrors: RegExp[];
  failOnBrowserErrors: undefined;
  failOnLostFocus: undefined;
}

export { expect };

// A fixture that only some stories override would start further workers, each with a browser and a product of its own.
export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  accounts: [
    async ({ product }, use) => {
      await use(await createAccounts(product.url));
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  fakeProviders: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const fakeProviders = await startFakeProviders();
      await use(fakeProviders);
      await fakeProviders.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  startOwnProduct: async ({ context }, use) => {
    const products: StartedProduct[] = [];
    await use(async (...options) => {
      const product = await startProduct(...options);
      products.push(product);
      return product;
    });
    // An open page would go on sending requests to a server that is gone, and log errors.
    await Promise.all(context.pages().map((page) => page.goto('about:blank')));
    for (const product of products.toReversed()) await product.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: async ({}, use) => use([]),
  failOnBrowserErrors: [
    async ({ context, expectedErrors }, use, testInfo) => {
      const errors = collectBrowserErrors(context);
      await use(undefined);
      if (testInfo.status !== testInfo.expectedStatus) {
        for (const log of readProductLogs()) await testInfo.attach('server.log', { body: log });
      }
      const isExpected = (error: string) => expectedErrors.some((pattern) => pattern.test(error));
      expect(errors.filter((error) => !isExpected(error))).toEqual([]);
    },
    { auto: true },
  ],
  failOnLostFocus: [
    async ({ context }, use, testInfo) => {
      await noteFocus(context);
      await use(undefined);
      if (testInfo.status !== testInfo.expectedStatus) return;
      for (const page of context.pages()) {
        // A dialog gives the focus back a moment after it has closed, and the page may be about to open another screen.
        await expect(async () => {
          expect(await findLostFocus(page), 'the focus fell to the page when this disappeared').toBe('');
        }).toPass({ timeout: 5_000 });
      }
    },
    { auto: true },
  ],
});
