import { expect } from 'vitest';
import type { NewSweep, Sweep } from '#contract/sweeps/sweep.ts';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import { SWEEP } from '#server/sweeps/sweep-job.ts';
import type { TestApp, TestUser } from './test-app.ts';

export const withId = (id: string) => ({ params: { id } });

/** Starts a sweep, and fails the test if it is refused. A short sweep may have ended when the response is read. */
export async function startSweep(t: TestApp, admin: TestUser, body: NewSweep): Promise<string> {
  const response = await t.request(admin, calls.startSweep, { body });
  expect(response.status).toBe(201);
  return response.body.id;
}

/** The sweep once it is no longer running. */
export async function waitForSweep(t: TestApp, admin: TestUser, id: string): Promise<Sweep> {
  const read = async () => {
    void t.app.jobs.run(SWEEP); // what waited for its time: the runner of a test app is not started
    return (await t.request(admin, calls.getSweep, withId(id))).body;
  };
  await expect.poll(async () => (await read()).state, { timeout: 60_000, interval: 100 }).not.toBe('running');
  return read();
}

export async function runSweepToEnd(t: TestApp, admin: TestUser, body: NewSweep): Promise<Sweep> {
  return waitForSweep(t, admin, await startSweep(t, admin, body));
}

export async function continueToEnd(t: TestApp, admin: TestUser, id: string): Promise<Sweep> {
  const continued = await t.request(admin, calls.continueSweep, withId(id));
  expect(continued.status).toBe(200);
  return waitForSweep(t, admin, id);
}
