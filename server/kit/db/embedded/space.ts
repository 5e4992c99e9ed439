import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import type { SpaceRules } from './messages.ts';

const CHECK_EVERY_MS = 1_000;
const MEBIBYTE = 1024 * 1024;

/** The bytes that this process may still write below the folder. */
export function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export type Disk = { free: () => number; onReserve?: (bytes: number) => void };

/**
 * Watches the room on the disk. A file beside the store holds some of it in reserve: when something else has filled
 * the disk to the last byte, giving it back lets the engine recover, and reading goes on.
 */
export class Space {
  readonly #reserveFile: string;
  readonly #rules: SpaceRules;
  readonly #disk: Disk;
  #checkedAt = 0;
  #room = true;

  constructor(reserveFile: string, rules: SpaceRules, disk: Disk) {
    this.#reserveFile = reserveFile;
    this.#rules = rules;
    this.#disk = disk;
  }

  /** Before the engine opens, as recovery may need to write. */
  makeRoomToOpen() {
    if (this.#disk.free() >= this.#rules.reserveBytes) return;
    const given = this.#reserved();
    rmSync(this.#reserveFile, { force: true });
    this.#disk.onReserve?.(-given);
  }

  hasRoom(now = Date.now()): boolean {
    if (now - this.#checkedAt < CHECK_EVERY_MS) return this.#room;
    this.#checkedAt = now;
    const missing = this.#rules.reserveBytes - this.#reserved();
    this.#room = this.#disk.free() >= this.#rules.keepFreeBytes + missing && (missing <= 0 || this.#reserve());
    return this.#room;
  }

  #reserved() {
    return statSync(this.#reserveFile, { throwIfNoEntry: false })?.size ?? 0;
  }

  #reserve(): boolean {
    const zeros = Buffer.alloc(MEBIBYTE);
    const file = openSync(this.#reserveFile, 'w', 0o600);
    try {
      for (let left = this.#rules.reserveBytes; left > 0; left -= MEBIBYTE) {
        writeSync(file, zeros, 0, Math.min(left, MEBIBYTE));
      }
      this.#disk.onReserve?.(this.#rules.reserveBytes);
      return true;
    } catch {
      return false; // filled up meanwhile
    } finally {
      closeSync(file);
    }
  }
}
