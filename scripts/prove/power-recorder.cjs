// Loaded into a process, and its threads, before anything else: writes down what happens to the files of one folder, in
// order and with every byte, so that the disk can be shown as a power cut at any moment would leave it.
const fs = process.getBuiltinModule('node:fs');
const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');
const { relative } = process.getBuiltinModule('node:path');

const folder = process.env.RECORDED_FOLDER ?? '';
const log = fs.openSync(process.env.RECORD_FILE ?? '/dev/null', 'a');
/** @type {Map<number, string>} Which file a descriptor is of. A file keeps its number when it is renamed. */
const open = new Map();
/** @type {Map<string, string>} */
const numbers = new Map();
let made = 0;

const original = { ...fs };

/** @param {object} what @param {Uint8Array} [bytes] */
function record(what, bytes) {
  const head = Buffer.from(JSON.stringify({ ...what, bytes: bytes?.length ?? 0 }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(head.length);
  // In one piece: the file is appended to by several threads.
  original.writeSync(log, Buffer.concat([size, head, bytes ?? Buffer.alloc(0)]));
}

/** @param {unknown} path @returns {string | undefined} The name inside the folder. */
function inside(path) {
  const name = relative(folder, String(path));
  return name.startsWith('..') ? undefined : name;
}

/** @param {string} name */
function numberOf(name) {
  const known = numbers.get(name);
  if (known) return known;
  made += 1;
  numbers.set(name, `f${made}`);
  record({ op: 'named', file: `f${made}`, name });
  return `f${made}`;
}

/** @type {(name: string, replacement: (...args: any[]) => any) => void} */
const replace = (name, replacement) => {
  /** @type {any} */ (fs)[name] = replacement;
};

replace('openSync', (path, flags, mode) => {
  const name = inside(path);
  const isNew = name !== undefined && !original.existsSync(path);
  const descriptor = original.openSync(path, flags, mode);
  if (name === undefined) return descriptor;
  if (isNew) {
    numbers.delete(name);
    record({ op: 'created', file: numberOf(name), name });
  }
  const truncates = typeof flags === 'number' ? (flags & fs.constants.O_TRUNC) !== 0 : /^w/.test(String(flags));
  if (truncates && !isNew) record({ op: 'truncated', file: numberOf(name), length: 0 });
  open.set(descriptor, numberOf(name));
  return descriptor;
});
replace('closeSync', (descriptor) => {
  open.delete(descriptor);
  return original.closeSync(descriptor);
});
replace('writeSync', (descriptor, buffer, offset, length, position) => {
  const file = open.get(descriptor);
  const written = original.writeSync(descriptor, buffer, offset, length, position);
  if (file && typeof buffer !== 'string') {
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + (offset ?? 0), written);
    record({ op: 'written', file, position }, bytes);
  } else if (/^kept \d+\n$/.test(String(buffer))) record({ op: 'acknowledged', id: Number(String(buffer).slice(5)) });
  return written;
});
replace('ftruncateSync', (descriptor, length) => {
  const file = open.get(descriptor);
  if (file) record({ op: 'truncated', file, length: length ?? 0 });
  return original.ftruncateSync(descriptor, length);
});
replace('truncateSync', (path, length) => {
  const name = inside(path);
  if (name !== undefined) record({ op: 'truncated', file: numberOf(name), length: length ?? 0 });
  return original.truncateSync(path, length);
});
replace('fsyncSync', (descriptor) => {
  original.fsyncSync(descriptor);
  const file = open.get(descriptor);
  if (file) record({ op: 'synced', file });
});
replace('renameSync', (from, to) => {
  original.renameSync(from, to);
  const [before, after] = [inside(from), inside(to)];
  if (before === undefined || after === undefined) return;
  const file = numberOf(before);
  numbers.delete(before);
  numbers.set(after, file);
  record({ op: 'renamed', from: before, to: after });
});
replace('unlinkSync', (path) => {
  original.unlinkSync(path);
  const name = inside(path);
  if (name === undefined) return;
  numbers.delete(name);
  record({ op: 'removed', name });
});
replace('mkdirSync', (path, options) => {
  const result = original.mkdirSync(path, options);
  const name = inside(path);
  if (name) record({ op: 'folder', name });
  return result;
});
replace('rmdirSync', (path, options) => {
  original.rmdirSync(path, options);
  const name = inside(path);
  if (name) record({ op: 'no folder', name });
});
syncBuiltinESMExports();
