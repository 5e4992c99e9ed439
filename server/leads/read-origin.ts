import type { FastifyRequest } from 'fastify';
import { VIEWER_HEADER } from '#contract/call.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';

/** The web app, which sends this header, assigns results of a search; other clients are programs. */
export const readOrigin = ({ headers }: Pick<FastifyRequest, 'headers'>): LeadOrigin => ({
  kind: headers[VIEWER_HEADER] === undefined ? 'program' : 'search',
});
