import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { DurableFs } from './durable-fs.ts';
import { type Answer, type FromWorker, Gauges, type ToWorker, type WorkerTask } from './messages.ts';
import { Session } from './session.ts';
import { freeBytesIn, Space } from './space.ts';

// The embedded engine's own thread: it is busy without a pause while a statement runs, and it may have to be ended.

const STDERR_LINES = 20;

const task = workerData as WorkerTask;
const port = parentPort;
if (!port) throw new Error('The embedded engine runs in a worker thread only');

const gauges = new Gauges(task.gauges);
const simulated = task.faults?.freeBytes && new BigInt64Array(task.faults.freeBytes);
const tell = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
const lastWords: string[] = [];

const space = new Space(`${task.storeDir}.reserve`, task.space, {
  free: () => (simulated ? Number(Atomics.load(simulated, 0)) : freeBytesIn(task.storeDir)),
  onReserve: (bytes) => simulated && Atomics.sub(simulated, 0, BigInt(bytes)),
});
if (task.task === 'serve') {
  space.makeRoomToOpen();
  // The engine writes a process id that means nothing, and does not open when a crash left this file empty.
  rmSync(join(task.storeDir, 'postmaster.pid'), { force: true });
}

const engine = await openEngine().catch((error: unknown) => giveUp(describe(error), false));
if (task.task === 'create') {
  await engine.close();
  process.exit(0);
}

let room = true;
const session = new Session({
  gauges,
  run: (frames, onAnswer) => {
    // Runs to the end before it returns; the promise only tells of exceptions.
    engine
      .execProtocolRawStream(frames, { syncToFs: false, onRawData: onAnswer })
      .catch((error: unknown) => giveUp(describe(error), false));
  },
  send: (client, bytes) => tell({ kind: 'bytes', client, bytes }, [bytes.buffer as ArrayBuffer]),
  giveUp,
  hasRoom: () => {
    const hasRoom = space.hasRoom();
    if (hasRoom !== room) tell({ kind: 'space', full: !hasRoom });
    room = hasRoom;
    return hasRoom;
  },
});

const powerLossSafe = commitReachesTheDisk();
port.on('message', (message: ToWorker) => {
  if (message !== 'stop') return session.receive(message.client, message.bytes);
  void stop();
});
tell({ kind: 'ready', powerLossSafe });

async function openEngine() {
  return PGlite.create({
    fs: new DurableFs(task.storeDir, {
      onAbort: (what) => giveUp(`the engine aborted ${String(what)}`, false),
      ...(task.sync && !task.faults?.unhooked && { onSync: () => gauges.raise('syncs') }),
      freeBytes: simulated && (() => ({ left: Atomics.load(simulated, 0), take: (n) => Atomics.sub(simulated, 0, n) })),
    }),
    extensions: { pg_trgm },
    startParams: [
      // -F would switch fsync off; fdatasync, the usual method, does nothing in this runtime.
      ...PGlite.defaultStartParams.filter((param) => param !== '-F' || !task.sync),
      ...['-c', 'wal_sync_method=fsync'],
      ...['-c', `statement_timeout=${task.statementLimitMs}`],
    ],
    onStderr: (line) => {
      lastWords.push(line);
      if (lastWords.length > STDERR_LINES) lastWords.shift();
      return false;
    },
  });
}

/** The hook reaches into the engine's inner parts: whether it works is asked, not believed. */
function commitReachesTheDisk(): boolean {
  const before = gauges.get('syncs');
  session.ask("SELECT pg_logical_emit_message(true, 'highstreet', 'does a commit reach the disk?')");
  return gauges.get('syncs') > before && session.ask('SHOW fsync')[0] === 'on';
}

async function stop() {
  try {
    session.clear();
    session.ask('CHECKPOINT');
    await engine.close();
  } catch (error) {
    giveUp(describe(error), false);
  }
  process.exit(0);
}

/** Ends the thread, also from within the engine. What was committed is safe, as after kill -9. */
function giveUp(reason: string, full: boolean, last?: Answer): never {
  const lastError = lastWords.findLast((line) => /PANIC|FATAL/.test(line));
  const outOfSpace = full || /no space left on device/i.test(lastError ?? '');
  tell({ kind: 'failed', reason: lastError ?? reason, full: outOfSpace, last });
  process.exit(1);
}

function describe(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}
