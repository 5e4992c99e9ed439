import { existsSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const ON_A_DATABASE = 'server/**/*.{routes,sql,api}.test.ts';
const ON_POSTGRES_ONLY = 'server/**/*.pg.test.ts';
const FAULTS = 'server/**/*.fault.test.ts';

// Files of one worker share its modules, and with them the one database that testing.ts opens: starting an embedded
// one takes seconds. Each test makes its own users and leads instead of expecting empty tables.
const sharingOneDatabase = {
  pool: 'forks',
  isolate: false,
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          environment: 'node',
          include: ['{contract,scripts,server}/**/*.test.ts'],
          exclude: [ON_A_DATABASE, ON_POSTGRES_ONLY, FAULTS],
          maxWorkers: 2,
          testTimeout: 20_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          // Loading React and the kit anew for every file took more than half of the time.
          isolate: false,
          include: ['web/**/*.test.{ts,tsx}'],
          setupFiles: existsSync('web/testing-setup.ts') ? ['web/testing-setup.ts'] : [],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'api-embedded',
          include: [ON_A_DATABASE],
          env: { TEST_DATABASE: 'embedded' },
          globalSetup: ['server/test-template.ts'],
          ...sharingOneDatabase,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'api-postgres',
          include: [ON_A_DATABASE, ON_POSTGRES_ONLY],
          env: { TEST_DATABASE: 'postgres' },
          ...sharingOneDatabase,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'faults',
          include: [FAULTS],
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
