import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Refusal } from '#contract/errors.ts';
import { getMapFile } from '#contract/map/map.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount } from '#server/kit/http/serve.ts';
import { parseRange } from './parse-range.ts';

const HOUR_SECONDS = 3_600;

/** Sends the one map file of this installation. The path is the operator's; no part of it comes from the request. */
export function mapRoutes(app: App, { guard, mapFile }: Pick<Deps, 'guard'> & { mapFile: string | undefined }) {
  mount(app, guard, getMapFile, async (request, reply) => {
    const info = mapFile && (await stat(mapFile).catch(() => undefined));
    if (!mapFile || !info) throw new Refusal('not_found', 'This installation has no map file');
    const { size, mtimeMs } = info;
    reply.headers({
      'accept-ranges': 'bytes',
      'cache-control': `private, max-age=${HOUR_SECONDS}`,
      // By a changed tag the browser notices that the file was replaced, and reads its directory again.
      etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
    });

    const range = parseRange(request.headers.range, size);
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${size}`);
      throw new Refusal('range_not_satisfiable', 'The map file has no such bytes');
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
    reply.type('application/vnd.pmtiles').header('content-length', end - start + 1);
    return reply.send(createReadStream(mapFile, { start, end }));
  });
}
