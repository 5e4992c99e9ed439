import { z } from 'zod';
import { call } from '../call.ts';

export const getMapFile = call({
  method: 'GET',
  path: '/api/map/tiles.pmtiles',
  access: 'user',
  summary:
    "The team's own file of map tiles, in the parts that the Range header names; 404 where TILE_URL is not a file.",
  // Bytes, streamed from the file.
  response: z.string(),
});

/** Whether a URL or path names one file with all tiles of a map, instead of a template of URLs. */
export const namesMapFile = (url: string) => /\.pmtiles(\?|$)/i.test(url);
