import { closeSync, fstatSync, fsyncSync, openSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Stream = { nfd?: number; node: object };
type Write = (stream: Stream, buffer: Uint8Array, offset: number, length: number, position: number) => number;
type NodeFiles = {
  realPath: (node: object) => string;
  stream_ops: { fsync?: (stream: Stream) => number; write: Write };
};
// The engine's runtime is untyped; these are the parts of @electric-sql/pglite 0.5.16 that the hooks reach into.
type Runtime = { NODEFS: NodeFiles; FS: { ErrnoError: new (errno: number) => Error } };
type RuntimeOptions = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts'];

const EIO = 29;
const ENOSPC = 51;

export type FileHooks = {
  onSync?: () => void;
  onAbort: (what: unknown) => void;
  freeBytes?: (() => Grant) | undefined;
};
type Grant = { left: bigint; take: (bytes: bigint) => void };

/**
 * The engine's files in a folder, with an fsync that reaches the disk: the runtime's own file system has none, and
 * says that all went well. The hooks are in place before the engine starts, so that its recovery is synced too.
 */
export class DurableFs extends NodeFS {
  readonly #hooks: FileHooks;

  constructor(folder: string, hooks: FileHooks) {
    super(folder);
    this.#hooks = hooks;
  }

  override async init(engine: PGlite, options: RuntimeOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options);
    const preRun = [emscriptenOpts.preRun ?? []].flat();
    preRun.push((runtime) => this.#hook(runtime as unknown as Runtime));
    return { emscriptenOpts: { ...emscriptenOpts, onAbort: this.#hooks.onAbort, preRun } };
  }

  #hook({ NODEFS, FS }: Runtime) {
    const { onSync, freeBytes } = this.#hooks;
    if (onSync) {
      NODEFS.stream_ops.fsync = (stream) => {
        try {
          syncStream(NODEFS, stream);
          onSync();
          return 0;
        } catch {
          return EIO; // An exception here would tear the engine apart instead of reaching it as an error.
        }
      };
    }
    if (freeBytes) {
      const write = NODEFS.stream_ops.write;
      NODEFS.stream_ops.write = (stream, buffer, offset, length, position) => {
        const growth = BigInt(position + length - fstatSync(stream.nfd ?? -1).size);
        const grant = freeBytes();
        if (growth > 0n && growth > grant.left) throw new FS.ErrnoError(ENOSPC);
        if (growth > 0n) grant.take(growth);
        return write(stream, buffer, offset, length, position);
      };
    }
  }
}

function syncStream(files: NodeFiles, stream: Stream) {
  if (stream.nfd !== undefined) return fsyncSync(stream.nfd);
  const file = openSync(files.realPath(stream.node), 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
