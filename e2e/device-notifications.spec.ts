import { expect, test } from './product.ts';

test.use({ serviceWorkers: 'allow' });

test('the worker shows a push message', async ({ page, product, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto(`${product.url}/today`);
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'));
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state))
    .toBe('activated');
  // A browser without a screen never allows notifications: what would be shown is kept instead.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { registration: { showNotification: unknown }; shown: unknown };
    scope.registration.showNotification = async (title: string, { body, tag, data }: NotificationOptions) => {
      scope.shown = { title, body, tag, data };
    };
  });

  const browser = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered;
  const data = JSON.stringify({ title: 'Highstreet', body: 'A follow-up is due', path: '/today', tag: 'highstreet-7' });
  await browser.send('ServiceWorker.deliverPushMessage', { origin: product.url, registrationId, data });
  await expect
    .poll(() => worker.evaluate(() => (globalThis as unknown as { shown: unknown }).shown))
    .toEqual({ title: 'Highstreet', body: 'A follow-up is due', tag: 'highstreet-7', data: '/today' });
});
