import { pathOf } from '#contract/call.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { atOnce, callAll } from './callers.ts';
import { cpuSeconds } from './cpu-time.ts';
import type { BenchDatabase } from './databases.ts';
import { seconds } from './figures.ts';
import { createPeople } from './people.ts';
import { startProduct } from './product.ts';
import { record, replay } from './recorded.ts';

export const CALLERS = 50;
const REQUESTS = 2_000;
const ROUNDS = 3;

export interface HttpFigures {
  /** Requests a second, round by round. */
  http: number[];
  bare: number[];
  /** Milliseconds of processor time for one request: the server's, and this process's as the bare driver. */
  httpCpu: number;
  bareCpu: number;
  answers: number[];
}

/** The first page for an admin, by many callers at once: over HTTP, and its statements through the driver's pool alone. */
export async function timeHttp(database: BenchDatabase, port: number): Promise<HttpFigures> {
  const opened = await database.open();
  const bare: number[] = [];
  let bareCpu = 0;
  let cookie: string;
  try {
    const [admin] = await createPeople(opened.pool, 1, 'admin');
    cookie = admin?.cookie ?? '';
    const [statements = []] = await record(opened, [{ method: 'GET', path: pathOf(listLeads, {}), cookie }]);
    const all = Array.from({ length: REQUESTS }, () => statements);
    await atOnce(CALLERS, all.slice(0, REQUESTS / 4), (each) => replay(opened.pool, each));
    const before = process.cpuUsage();
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(REQUESTS / (await seconds(() => atOnce(CALLERS, all, (each) => replay(opened.pool, each)))));
    }
    const { user, system } = process.cpuUsage(before);
    bareCpu = (user + system) / 1000 / REQUESTS / ROUNDS;
  } finally {
    await opened.close();
  }

  const product = await startProduct(port, database.env);
  try {
    const requests = Array.from({ length: REQUESTS }, () => ({ method: 'GET', path: pathOf(listLeads, {}), cookie }));
    await callAll(product.url, CALLERS, requests);
    const http: number[] = [];
    const answers: number[] = [];
    const before = cpuSeconds([product.processId]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const taken = await seconds(async () => answers.push(...(await callAll(product.url, CALLERS, requests))));
      http.push(REQUESTS / taken);
    }
    const httpCpu = ((cpuSeconds([product.processId]) - before) * 1000) / REQUESTS / ROUNDS;
    return { http, bare, httpCpu, bareCpu, answers };
  } finally {
    await product.stop();
  }
}
