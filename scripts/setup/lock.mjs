import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const HEARTBEAT_MS = 1_000;
const SILENT_MS = 15_000;

/**
 * Does `work` while no other process of this clone does. A holder that died is replaced: at once when its process is
 * known to be gone, otherwise (another container on the same folder) when it has been silent for a while.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  const mine = `${process.pid} ${hostname()} ${process.hrtime.bigint()}`;
  await take(file, mine);
  const release = () => readIfThere(file) === mine && rmSync(file, { force: true });
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off('exit', release);
    release();
  }
}

/** @param {string} file @param {string} mine */
async function take(file, mine) {
  for (let tries = 0; ; tries += 1) {
    if (create(file, mine)) return;
    if (tries === 10) console.log('Waiting for another Highstreet that is installing or building in this folder…');
    if (abandoned(file)) takeOver(file, mine);
    else await wait(200);
  }
}

/** @param {string} file */
function abandoned(file) {
  const [pid, host] = (readIfThere(file) ?? '').split(' ');
  if (host === hostname() && !lives(Number(pid))) return true;
  return silentFor(file) > SILENT_MS;
}

/**
 * Two waiters may see the same dead holder. Only the one that makes the second file may remove the first, and it looks
 * again before it does.
 * @param {string} file @param {string} mine
 */
function takeOver(file, mine) {
  const second = `${file}.takeover`;
  if (!create(second, mine)) {
    if (silentFor(second) > SILENT_MS) rmSync(second, { force: true });
    return;
  }
  if (abandoned(file)) rmSync(file, { force: true });
  rmSync(second, { force: true });
}

/** @param {string} file @param {string} content */
function create(file, content) {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {number} pid */
function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is a living one.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} file */
function silentFor(file) {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

/** @param {string} file */
function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Taken over while this process was stopped for long; the work under way ends as it ends.
  }
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
