import { callAll, type HttpRequest, inParallel } from '../measure/callers.ts';
import type { BenchDatabase } from '../measure/database.ts';
import { cpuSeconds, processTree } from '../measure/processes.ts';
import type { Product } from '../measure/product.ts';
import { mean, median } from '../measure/statistics.ts';
import { replay, type Statements } from './statements.ts';

const WARM_UP = 4;

interface Comparison {
  product: Product;
  database: BenchDatabase;
  requests: HttpRequest[];
  /** Replayed in order, again from the start when there are fewer than requests. */
  statements: Statements[];
  callers: number;
  turns: number;
}

/** Requests over HTTP beside statements through the bare driver, in short turns: other load falls on both. */
export async function compareWithDriver({ product, database, requests, statements, callers, turns }: Comparison) {
  const replays = requests.map((_, nth) => statements[nth % statements.length] as Statements);
  const [http, bare]: [Turn[], Turn[]] = [[], []];
  for (let turn = 0; turn < WARM_UP + turns; turn += 1) {
    const replayAll = () => inParallel(callers, replays, (each) => replay(database.pool, each));
    bare.push(await measureTurn(process.pid, database, replayAll));
    http.push(await measureTurn(product.processId, database, () => callAll(product.url, callers, requests)));
  }
  return { http: costPerRequest(http.slice(WARM_UP)), bare: costPerRequest(bare.slice(WARM_UP)) };
}

interface Turn {
  times: number[];
  wall: number;
  serverCpu: number;
  databaseCpu: number;
}

/** `serverCpu` is the processor time of the given process: the product or, with the bare driver, this one. */
async function measureTurn(processId: number, database: BenchDatabase, work: () => Promise<number[]>): Promise<Turn> {
  const used = () => ({
    wall: performance.now(),
    serverCpu: 1000 * cpuSeconds([processId]),
    databaseCpu: 1000 * cpuSeconds(processTree(database.processId)),
  });
  const before = used();
  const times = await work();
  const after = used();
  return {
    times,
    wall: after.wall - before.wall,
    serverCpu: after.serverCpu - before.serverCpu,
    databaseCpu: after.databaseCpu - before.databaseCpu,
  };
}

export type Cost = ReturnType<typeof costPerRequest>;

/** In milliseconds. Processor time is the mean of all turns, because its clock is too coarse for one. */
function costPerRequest(turns: Turn[]) {
  const requests = turns[0]?.times.length ?? 1;
  return {
    times: turns.flatMap(({ times }) => times),
    wall: median(turns.map(({ wall }) => wall)) / requests,
    serverCpu: mean(turns.map(({ serverCpu }) => serverCpu)) / requests,
    databaseCpu: mean(turns.map(({ databaseCpu }) => databaseCpu)) / requests,
  };
}
