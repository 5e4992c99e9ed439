import { open } from 'node:fs/promises';
import { getMapFile, namesMapFile } from '#contract/map/map.calls.ts';

const HEADER_BYTES = 127;
const VERSION = 3;

interface MapTiles {
  /** What the browser loads tiles from: a template, a file, or nothing. */
  url: string;
  /** The path of the file that this server sends. */
  file?: string;
  /** Why the file of TILE_URL is not used, in one line for the operator. */
  problem?: string;
}

/** The tiles of TILE_URL. A file that cannot be used leaves the map without tiles: it then shows coasts and towns. */
export async function prepareMapTiles(tileUrl: string): Promise<MapTiles> {
  if (!isPath(tileUrl)) return { url: tileUrl };
  const problem = await findProblem(tileUrl);
  if (problem) return { url: '', problem: `TILE_URL: ${tileUrl} ${problem}. The map shows coasts and towns only.` };
  return { url: getMapFile.path, file: tileUrl };
}

const isPath = (tileUrl: string) => namesMapFile(tileUrl) && !/^https?:/i.test(tileUrl);

async function findProblem(path: string): Promise<string | undefined> {
  try {
    const header = await readHeader(path);
    const valid = header.subarray(0, 7).toString('latin1') === 'PMTiles' && header[7] === VERSION;
    return valid ? undefined : `is not a PMTiles file of version ${VERSION}`;
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead === HEADER_BYTES ? HEADER_BYTES : 0);
  } finally {
    await file.close();
  }
}
