import { chromium } from '@playwright/test';
import { register } from '#contract/auth/auth.calls.ts';
import { findChromium } from '../../e2e/chromium.ts';
import { startProduct } from './product.ts';

/** What a browser fetches over plain HTTP before somebody can sign in, compressed as it travels; over TLS it is less. */
export async function firstScreen(port: number): Promise<{ scriptKb: number; allKb: number }> {
  const product = await startProduct(port);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await firstAccount(product.url);
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    const kinds = new Map<string, string>();
    const bytes = { script: 0, all: 0 };
    await session.send('Network.enable');
    session.on('Network.responseReceived', ({ requestId, type }) => void kinds.set(requestId, type));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes.all += encodedDataLength;
      if (kinds.get(requestId) === 'Script') bytes.script += encodedDataLength;
    });
    await page.goto(`${product.url}/auth`, { waitUntil: 'networkidle' });
    await page.getByLabel('Username or email').fill('somebody');
    return { scriptKb: bytes.script / 1000, allKb: bytes.all / 1000 };
  } finally {
    await browser.close();
    await product.stop();
  }
}

/** With nobody there, the first screen would be another. */
async function firstAccount(url: string) {
  const body = { username: 'bench', password: 'long enough', email: 'bench@bench.test', fullName: 'Bench' };
  await fetch(url + register.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
