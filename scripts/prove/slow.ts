import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { createAsker } from './asker.ts';
import { firstAdmin } from './people.ts';
import { startProduct } from './product.ts';
import { becomes, type Proof, withCleanUp } from './proof.ts';

const ALL = 10_000;
/** A few more than are needed: some are lost on the way and come later. */
const HEADS = 2_000;
const BODIES = 8_500;
const DRIP_MS = 2_000;
/** So many are on their way at once: more than the kernel's queue takes would be lost before the product sees them. */
const ON_THEIR_WAY = 200;
const STEP_MS = 50;
/** When the product gives up on a head (10 s, looked at every 2 s) and on a body (60 s), and some time for a busy machine. */
const HEADS_ENDED_MS = 20_000;
const BODIES_ENDED_MS = 80_000;
const MEMORY_MB = 400;

export const slow: Proof = {
  says: `${ALL.toLocaleString('en-US')} connections that send a byte every two seconds: others are served, memory is bounded, the slow are cut off.`,
  run: (_args, checks) =>
    withCleanUp(async (later) => {
      const product = await startProduct();
      later(product.stop);
      const asker = createAsker(product.url);
      later(asker.close);
      const { cookie } = await firstAdmin(asker);
      const before = product.memoryMb();

      const filesBefore = product.openFiles();
      const accepted = () => product.openFiles() - filesBefore;
      // Those that end soonest come last.
      const bodies = drip(
        product.port,
        BODIES,
        'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"username":"',
        accepted,
      );
      later(bodies.end);
      await becomes(() => accepted() >= BODIES - ON_THEIR_WAY, 45_000);
      const heads = drip(
        product.port,
        HEADS,
        'GET /api/leads HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
        () => accepted() - bodies.open(),
      );
      later(heads.end);
      const all = await becomes(() => accepted() >= ALL, 8_000);
      checks.holds(`${ALL} are connected at once`, all, `${product.openFiles()} open files`);

      const responses: { status: number; ms: number }[] = [];
      const started = Date.now();
      let most = 0;
      while (Date.now() - started < BODIES_ENDED_MS && (heads.open() || bodies.open())) {
        responses.push(await asker.ask(listLeads, {}, { cookie, timeoutMs: 10_000 }));
        most = Math.max(most, product.memoryMb());
        await wait(100);
      }
      const failed = responses.filter(({ status }) => status !== 200);
      const times = responses.map(({ ms }) => ms).toSorted((one, other) => one - other);
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
      checks.holds(
        `meanwhile ${responses.length} pages of the list for others: all answered`,
        !failed.length,
        failed.slice(0, 3),
      );
      const figures = `median ${at(0.5).toFixed(0)}, 95% ${at(0.95).toFixed(0)}, slowest ${at(1).toFixed(0)} ms`;
      checks.holds('nineteen of twenty within a second, all within five', at(0.95) < 1_000 && at(1) < 5_000, figures);
      checks.holds(
        `memory grew by less than ${MEMORY_MB} MB`,
        most - before < MEMORY_MB,
        `${before.toFixed(0)} → ${most.toFixed(0)} MB`,
      );
      const lives = ({ open, longestMs }: ReturnType<typeof drip>) => `${open()} open, longest ${longestMs()} ms`;
      const headsCut = !heads.open() && heads.longestMs() < HEADS_ENDED_MS;
      checks.holds('those who drip a head are cut off after ten seconds', headsCut, lives(heads));
      const bodiesCut = !bodies.open() && bodies.longestMs() < BODIES_ENDED_MS;
      checks.holds('those who drip a body after sixty', bodiesCut, lives(bodies));
      checks.holds(
        'and their sockets are given back',
        await becomes(() => product.openFiles() < 300, 5_000),
        `${product.openFiles()} open files`,
      );
      checks.holds('nothing of it was an error', !product.complaints.length, product.complaints.slice(0, 2).join('\n'));
    }),
};

/** Connections that begin a request and never come to its end. */
function drip(port: number, count: number, beginning: string, accepted: () => number) {
  const sockets = new Set<Socket>();
  let longestMs = 0;
  const begin = () => {
    const started = Date.now();
    const socket = connect(port, '127.0.0.1', () => socket.write(beginning));
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      longestMs = Math.max(longestMs, Date.now() - started);
    });
  };
  let begun = 0;
  const starting = setInterval(() => {
    const more = Math.min(count - begun, ON_THEIR_WAY - (sockets.size - accepted()));
    for (let nth = 0; nth < more; nth += 1, begun += 1) begin();
  }, STEP_MS);
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, DRIP_MS);
  return {
    open: () => sockets.size,
    longestMs: () => longestMs,
    end: () => {
      clearInterval(starting);
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
