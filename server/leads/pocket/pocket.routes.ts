import { createHash } from 'node:crypto';
import { getPocket, getPocketLeads } from '#contract/leads/pocket/pocket.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, serve } from '#server/kit/http/serve.ts';
import { listPocket, readPocketLeads } from './pocket.sql.ts';

/** What a device keeps of its user's leads, for work without a network. */
export function pocketRoutes(app: App, { db, guard }: Deps) {
  mount(app, guard, getPocket, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the guard lets only signed-in users through
    const leads = await listPocket(db, viewer.id);
    const tag = `"${createHash('sha256').update(JSON.stringify(leads)).digest('base64url')}"`;
    reply.header('etag', tag);
    // A proxy that compresses answers makes weak tags of them.
    if (request.headers['if-none-match']?.replace(/^W\//, '') === tag) return reply.code(304).send();
    return reply.send({ leads });
  });

  serve(app, guard, getPocketLeads, async ({ viewer, query }) => ({
    leads: await readPocketLeads(db, viewer.id, query.ids),
  }));
}
