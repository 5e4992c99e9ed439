import { test as base, expect } from '@playwright/test';
import { createPeople, type People } from './people.ts';
import { type StartedProduct, startProduct } from './started-product.ts';
import { watchBrowser } from './watch-browser.ts';

interface Worker {
  /** One product for all stories of a worker: each makes its own people and leads. */
  product: StartedProduct;
  people: People;
}

interface Story {
  /** Complaints of the browser that a story provokes on purpose; it adds them before it does. */
  expectedComplaints: RegExp[];
  watched: undefined;
}

export { expect };

export const test = base.extend<Story, Worker>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  people: [async ({ product }, use) => use(await createPeople(product.url)), { scope: 'worker' }],
  baseURL: async ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedComplaints: async ({}, use) => use([]),
  watched: [
    async ({ context, product, expectedComplaints }, use, story) => {
      const complaints = watchBrowser(context);
      await use(undefined);
      if (story.status !== story.expectedStatus) await story.attach('server.log', { body: product.log() });
      const expected = (complaint: string) => expectedComplaints.some((pattern) => pattern.test(complaint));
      expect(complaints.filter((complaint) => !expected(complaint))).toEqual([]);
    },
    { auto: true },
  ],
});
