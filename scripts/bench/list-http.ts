import { pathOf } from '#contract/call.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { atOnce, callAll } from './callers.ts';
import { cpuSeconds, timed } from './cpu-time.ts';
import type { BenchDatabase } from './databases.ts';
import { adminIn } from './people.ts';
import { startProduct } from './product.ts';
import { record, replay } from './recorded.ts';

export const CALLERS = 50;
const REQUESTS = 400;
/** Short ones, one after the other, so that what else the machine does falls on both. */
const TURNS = 15;
const WARM_UP = 4;

export interface HttpFigures {
  /** Requests a second, turn by turn. */
  http: number[];
  bare: number[];
  /** Milliseconds of processor time for one request: the server's, and this process's as the bare driver. */
  httpCpu: number;
  bareCpu: number;
  answers: number[];
}

/** The first page for an admin, by many callers at once: over HTTP, and its statements through the driver's pool alone. */
export async function timeHttp(database: BenchDatabase, port: number): Promise<HttpFigures> {
  const { cookie, statements } = await prepare(database);
  const replays = Array.from({ length: REQUESTS }, () => statements);
  const requests = Array.from({ length: REQUESTS }, () => ({ method: 'GET', path: pathOf(listLeads, {}), cookie }));
  const beside = await database.open();
  const product = await startProduct(port, database.env);
  try {
    const [http, bare, answers]: [number[], number[], number[]] = [[], [], []];
    const used = (processId: number) => () => cpuSeconds([processId]);
    let [httpCpu, bareCpu] = [0, 0];
    for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
      const replayed = await timed(used(process.pid), () =>
        atOnce(CALLERS, replays, (each) => replay(beside.pool, each)),
      );
      const called = await timed(used(product.processId), () => callAll(product.url, CALLERS, requests));
      if (turn < 0) continue;
      bare.push(REQUESTS / replayed.seconds);
      http.push(REQUESTS / called.seconds);
      answers.push(...called.value);
      bareCpu += (replayed.cpu * 1000) / REQUESTS / TURNS;
      httpCpu += (called.cpu * 1000) / REQUESTS / TURNS;
    }
    return { http, bare, httpCpu, bareCpu, answers };
  } finally {
    await product.stop();
    await beside.close();
  }
}

async function prepare(database: BenchDatabase) {
  const opened = await database.open();
  try {
    const { cookie } = await adminIn(opened.pool);
    const [statements = []] = await record(opened, [{ method: 'GET', path: pathOf(listLeads, {}), cookie }]);
    return { cookie, statements };
  } finally {
    await opened.close();
  }
}
