import { setTimeout as wait } from 'node:timers/promises';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';

const PAUSE_MS = 50;

/** Asks for a page of the list again and again while something else goes on; the milliseconds of each answer. */
export async function measureOthers(url: string, cookie: string, meanwhile: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      const started = performance.now();
      const response = await fetch(url + listLeads.path, { headers: { cookie } });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`a page of the list answered ${response.status}`);
      times.push(performance.now() - started);
      await wait(PAUSE_MS);
    }
  })();
  try {
    await meanwhile();
  } finally {
    over = true;
  }
  await asking;
  return times;
}
