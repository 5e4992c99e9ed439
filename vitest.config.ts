import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const CORES = availableParallelism();
const ON_A_DATABASE = 'server/**/*.{routes,sql,api}.test.ts';
const FAULTS = 'server/**/*.fault.test.ts';

/** A busy machine needs longer than the second that is the default. */
const POLL = { timeout: 40_000 };

// All files of a worker share its modules, and with them the database that server/testing/databases.ts opens. Each test
// creates its own users and leads instead of expecting empty tables.
const sharingOneDatabase = {
  pool: 'forks',
  isolate: false,
  // More than there are cores: a worker waits for its database a quarter of the time. A server has 100 connections.
  maxWorkers: Math.min(Math.ceil(CORES * 1.5), 6),
  testTimeout: 90_000,
  hookTimeout: 90_000,
  expect: { poll: POLL },
} as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          environment: 'node',
          include: ['*.test.ts', '{contract,packaging,scripts,server}/**/*.test.ts'],
          exclude: [ON_A_DATABASE, FAULTS],
          maxWorkers: CORES,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          // The viewer's clock is the team's, unless a test says otherwise.
          env: { TZ: 'Europe/London' },
          // Loading React and web/kit again for every file took more than half of the time.
          isolate: false,
          include: ['web/**/*.test.{ts,tsx}'],
          setupFiles: ['web/testing/setup.ts'],
          maxWorkers: CORES,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'api',
          include: [ON_A_DATABASE],
          globalSetup: ['server/testing/test-server.ts'],
          // So that a test gives it another compiler.
          server: { deps: { inline: ['openapi-typescript'] } },
          ...sharingOneDatabase,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'faults',
          include: [FAULTS],
          // A worker often waits for a process to start or to end.
          maxWorkers: CORES + 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: POLL },
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
