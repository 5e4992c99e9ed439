import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from './random.ts';

export type Op =
  | { op: 'named' | 'created'; file: string; name: string }
  | { op: 'written'; file: string; position: number; data: Buffer }
  | { op: 'truncated'; file: string; length: number }
  | { op: 'synced'; file: string }
  | { op: 'renamed'; from: string; to: string }
  | { op: 'removed' | 'folder' | 'no folder'; name: string }
  | { op: 'acknowledged'; id: number };

const SECTOR = 512;

/** Reads what power-recorder.cjs wrote; a last record that was cut off by the kill is left out. */
export function readRecord(path: string): Op[] {
  const bytes = readFileSync(path);
  const ops: Op[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at);
    if (at + 4 + size > bytes.length) break;
    const head = JSON.parse(bytes.toString('utf8', at + 4, at + 4 + size)) as Op & { bytes: number };
    const data = bytes.subarray(at + 4 + size, at + 4 + size + head.bytes);
    ops.push((head.op === 'written' ? { ...head, data } : head) as Op);
    at += 4 + size + head.bytes;
  }
  return ops;
}

interface Contents {
  /** As it was when it was last synced. */
  durable: Buffer;
  /** What came since: the disk may have any of it, in any order, or a part of one. */
  since: Extract<Op, { op: 'written' | 'truncated' }>[];
}

/**
 * The folder as a power cut after so many operations may leave it. What was synced is there. Of each other write it is
 * chance whether it is there, whole, or torn at a sector; names of files are as they were (the file system's journal).
 */
export function writeImage(base: string, ops: Op[], cut: number, random: Random, target: string) {
  rmSync(target, { recursive: true, force: true });
  cpSync(base, target, { recursive: true });
  const names = new Map<string, Contents>();
  const byFile = new Map<string, Contents>();
  const touched = new Set<string>();
  const gone = new Set<string>();
  const folders = new Set<string>();
  const fromBase = (name: string): Contents => ({ durable: readIfThere(join(base, name)), since: [] });
  const contentsOf = (name: string) => {
    const known = names.get(name) ?? fromBase(name);
    names.set(name, known);
    touched.add(name);
    return known;
  };

  for (const each of ops.slice(0, cut)) {
    if (each.op === 'named') byFile.set(each.file, contentsOf(each.name));
    else if (each.op === 'created') {
      const empty = { durable: Buffer.alloc(0), since: [] };
      names.set(each.name, empty);
      byFile.set(each.file, empty);
      touched.add(each.name);
      gone.delete(each.name);
    } else if (each.op === 'written' || each.op === 'truncated') byFile.get(each.file)?.since.push(each);
    else if (each.op === 'synced') settle(byFile.get(each.file));
    else if (each.op === 'renamed') {
      names.set(each.to, contentsOf(each.from));
      names.delete(each.from);
      touched.add(each.to);
      gone.add(each.from);
      gone.delete(each.to);
    } else if (each.op === 'removed') {
      names.delete(each.name);
      gone.add(each.name);
    } else if (each.op === 'folder') folders.add(each.name);
  }

  for (const name of gone) rmSync(join(target, name), { recursive: true, force: true });
  for (const name of folders) mkdirSync(join(target, name), { recursive: true });
  for (const name of touched) {
    const contents = names.get(name);
    if (!contents || gone.has(name)) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    if (readdirSafe(join(target, name))) continue; // a folder that was opened to be synced
    writeFileSync(join(target, name), afterPowerCut(contents, random));
  }
  return { files: touched.size, unsynced: [...names.values()].reduce((sum, { since }) => sum + since.length, 0) };
}

function settle(contents: Contents | undefined) {
  if (!contents) return;
  for (const each of contents.since) contents.durable = applied(contents.durable, each);
  contents.since = [];
}

function afterPowerCut({ durable, since }: Contents, random: Random): Buffer {
  const luck = random.pick(['nothing', 'everything', 'some', 'some', 'the first'] as const);
  if (luck === 'nothing') return durable;
  const first = random.below(since.length + 1);
  let bytes = durable;
  for (const [nth, each] of since.entries()) {
    if (luck === 'the first' && nth >= first) break;
    if (luck === 'some' && random.below(2)) continue;
    bytes = applied(bytes, luck !== 'everything' && random.below(4) === 0 ? torn(each, random) : each);
  }
  return bytes;
}

function torn(each: Contents['since'][number], random: Random): Contents['since'][number] {
  if (each.op === 'truncated') return each;
  const sectors = Math.ceil(each.data.length / SECTOR);
  return { ...each, data: each.data.subarray(0, random.below(sectors + 1) * SECTOR) };
}

function applied(bytes: Buffer, each: Contents['since'][number]): Buffer {
  if (each.op === 'truncated') return resized(bytes, each.length);
  const longer = resized(bytes, Math.max(bytes.length, each.position + each.data.length));
  each.data.copy(longer, each.position);
  return longer;
}

function resized(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.alloc(length);
  bytes.copy(copy, 0, 0, Math.min(length, bytes.length));
  return copy;
}

const readIfThere = (path: string) => {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
};

const readdirSafe = (path: string) => {
  try {
    return readdirSync(path) && true;
  } catch {
    return false;
  }
};
