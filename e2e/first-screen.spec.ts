import { expect, test } from './product.ts';

const MAX_KILOBYTES = 115;

test('the sign-in form works after at most 115 kB of compressed JavaScript', async ({ page, accounts }) => {
  expect(accounts.admin.id).toBeGreaterThan(0); // without any account, the first screen is the set-up
  const session = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto('/auth', { waitUntil: 'networkidle' });
  await expect(page.getByLabel('Username or email')).toBeEditable();
  expect(scripts.size).toBeGreaterThan(0);
  expect(bytes / 1000).toBeLessThanOrEqual(MAX_KILOBYTES);
  test.info().annotations.push({ type: 'JavaScript before sign-in', description: `${(bytes / 1000).toFixed(1)} kB` });
});
