import { availableParallelism } from 'node:os';
import { defineConfig, type ReporterDescription } from '@playwright/test';
import { findChromium } from './e2e/chromium.ts';

const jsonReport = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME;
const reporters: ReporterDescription[] = [['list']];
if (jsonReport) reporters.push(['json', { outputFile: jsonReport }]);

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/prepared-data.ts',
  fullyParallel: true,
  // More than there are cores: a story waits for timers and animations a quarter of the time.
  workers: Math.ceil(availableParallelism() * 1.5),
  forbidOnly: Boolean(process.env.CI),
  reporter: reporters,
  // For a slow and busy machine. A story that is about time says its own limit.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Stories intercept requests and count them; those about the app on the device allow it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
        // Stories reach no other machine.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ],
    },
  },
});
