import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** Longer than installing or building takes. */
const MAX_AGE_MS = 15 * 60_000;
const owner = `${process.pid} ${hostname()}`;

/**
 * Runs `work` while no other process holds this lock file. A lock is abandoned when its process is gone or, on another
 * host (a container on the same folder), when it is too old.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  for (let tries = 0; !create(file); tries += 1) {
    if (tries === 10) console.log('Waiting for another Highstreet that is installing or building in this folder…');
    if (isAbandoned(file)) removeAbandoned(file);
    else await wait(200);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * Two waiting processes may find the same abandoned lock. The second file lets one of them remove it, after a second look:
 * the other could remove the lock that the first has created meanwhile.
 * @param {string} file
 */
function removeAbandoned(file) {
  const second = `${file}.takeover`;
  if (!create(second)) return void (isAbandoned(second) && rmSync(second, { force: true }));
  if (isAbandoned(file)) rmSync(file, { force: true });
  rmSync(second, { force: true });
}

/** @param {string} file */
function create(file) {
  try {
    writeFileSync(file, owner, { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function isAbandoned(file) {
  try {
    const [pid, host] = readFileSync(file, 'utf8').split(' ');
    if (host === hostname()) return !isRunning(Number(pid));
    return Date.now() - statSync(file).mtimeMs > MAX_AGE_MS;
  } catch {
    return false; // released meanwhile
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs under another account.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
