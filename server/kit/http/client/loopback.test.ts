import { expect, test } from 'vitest';
import { readEnv } from '#server/kit/env.ts';
import { isLocalInstallation } from './loopback.ts';

test.each([
  {},
  { PORT: '0' },
  { HOST: 'localhost' },
  { HOST: '::1' },
  { HOST: '127.0.0.2', APP_URL: 'http://127.0.0.1:8080' },
  { APP_URL: 'http://[::1]:3000' },
  { APP_URL: 'https://localhost' },
  { TRUST_PROXY: 'off' },
])('%o is reachable from this machine only', (env) => {
  expect(isLocalInstallation(readEnv(env))).toBe(true);
});

test.each([
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.5' },
  { HOST: 'leads.example' },
  { HOST: '127.0.0.1.example' },
  { TRUST_PROXY: '1' },
  { APP_URL: 'https://leads.example' },
  { APP_URL: 'http://192.168.1.5:3000' },
  { APP_URL: 'http://localhost.example' },
  { APP_URL: 'https://leads.example', TRUST_PROXY: '1' },
])('%o may be reachable from elsewhere', (env) => {
  expect(isLocalInstallation(readEnv(env))).toBe(false);
});
