import { chromium } from '@playwright/test';
import { findChromium } from '../../e2e/chromium.ts';

/** What a browser downloads before a user can sign in, compressed as it is sent over plain HTTP. */
export async function measureFirstScreen(url: string): Promise<{ scriptKb: number; allKb: number }> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    const types = new Map<string, string>();
    const bytes = { script: 0, all: 0 };
    await session.send('Network.enable');
    session.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes.all += encodedDataLength;
      if (types.get(requestId) === 'Script') bytes.script += encodedDataLength;
    });
    await page.goto(`${url}/auth`, { waitUntil: 'networkidle' });
    await page.getByLabel('Username or email').fill('olivia');
    return { scriptKb: bytes.script / 1000, allKb: bytes.all / 1000 };
  } finally {
    await browser.close();
  }
}
