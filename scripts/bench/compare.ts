import { callAll, type HttpRequest, inParallel } from '../measure/callers.ts';
import type { BenchDatabase } from '../measure/database.ts';
import { cpuMs, processTree } from '../measure/processes.ts';
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

/** Compares requests over HTTP with statements through the bare driver, in short turns, so that other load affects both. */
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
  /** Milliseconds that the turn took. */
  wall: number;
  /** Milliseconds of processor time, of the given process and of the database. */
  serverCpu: number;
  databaseCpu: number;
}

async function measureTurn(processId: number, database: BenchDatabase, work: () => Promise<number[]>): Promise<Turn> {
  const read = () => [performance.now(), cpuMs([processId]), cpuMs(processTree(database.processId))];
  const before = read();
  const times = await work();
  const [wall = 0, serverCpu = 0, databaseCpu = 0] = read().map((value, nth) => value - (before[nth] ?? 0));
  return { times, wall, serverCpu, databaseCpu };
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
