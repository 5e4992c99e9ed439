import { Refusal } from '#contract/errors.ts';
import type { App, Deps } from '#server/deps.ts';
import { parseJsonBody } from '#server/kit/http/json-body.ts';
import { mount } from '#server/kit/http/serve.ts';
import { callAs } from './call-as.ts';
import { createServer } from './mcp-server.ts';

export const MCP_PATH = '/mcp';

/** MCP for assistants. Every request stands alone; its tools make calls of the contract with the token of the request. */
export function mcpRoutes(app: App, { guard, env: { appUrl } }: Pick<Deps, 'guard' | 'env'>) {
  const call = { method: 'POST', path: MCP_PATH, access: 'user', limit: 'read', polled: true } as const;
  // Each tool asks for more where its calls do.
  mount(app, guard, { ...call, programs: 'all', rights: 'read' }, async (request, reply) => {
    const { viewer } = request;
    if (!viewer?.program) {
      reply.header('www-authenticate', 'Bearer');
      throw new Refusal('not_authenticated', 'Please send a token of a program');
    }
    const message = parseJsonBody(request.body as Buffer); // as the content type parser leaves it
    const { program } = viewer;
    const context = { viewer, make: callAs(app, request), appUrl };
    const [{ createMcpHandler, McpServer }, { toNodeHandler }] = await loadSdk();
    const handler = createMcpHandler(() => createServer(McpServer, program, context), {
      // No streams that stay open: nothing is held between requests.
      keepAliveMs: 0,
      maxSubscriptions: 0,
      onerror: (error) => request.log.debug({ err: error }, 'mcp'),
    });
    // What a hijacked reply has of headers is not sent.
    const headers = { ...reply.getHeaders(), 'cache-control': 'no-store' };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    await toNodeHandler(handler)(request.raw, reply.raw, message);
  });
}

/** On the first request, so that the start does not wait for it. */
const loadSdk = () => Promise.all([import('@modelcontextprotocol/server'), import('@modelcontextprotocol/node')]);
