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
