import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  type Access,
  type AnyCall,
  type Body,
  type Params,
  type Query,
  type ResponseBody,
  takesBody,
  VIEWER_HEADER,
} from '#contract/call.ts';
import { Refusal } from '#contract/errors.ts';
import type { Role, Viewer } from '#contract/users/user.ts';
import { clientIpKey } from './client-ip.ts';
import { invalid } from './errors.ts';
import { isApi } from './headers.ts';
import { parseJsonBody, requireStorable } from './json-body.ts';
import type { RequestLimits } from './request-limits.ts';
import { requireSameSite } from './same-site.ts';
import { requireForm } from './upload.ts';

export interface Guard {
  appUrl: string;
  limits: RequestLimits;
  /** Who sends this request: a viewer, or nobody. A cookie that is no longer good is cleared on the way. */
  authenticate: (request: FastifyRequest, reply: FastifyReply, call: AnyCall) => Promise<Viewer | null>;
}

export interface RequestContext<C extends AnyCall, V = Viewer> {
  viewer: V;
  params: Params<C>;
  query: Query<C>;
  /** Reads the body when the handler is ready for it: after the policy, so that the refused learn nothing. */
  body: () => Body<C>;
  /** The sender's network address, as counters are kept. */
  ip: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Everyone who may make a call with this access is signed in, but for `anyone`. */
type ViewerFor<C extends AnyCall> = C['access'] extends 'anyone' ? Viewer | null : Viewer;

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null;
    /** Counted as an anonymous request already, because its session cookie is not valid. */
    countedByIp: boolean;
  }
  interface FastifyInstance {
    /** Every call that is mounted, as "METHOD /api/path". */
    apiRoutes: string[];
    /** What is mounted beside the API, and has a rule of its own on who may ask. */
    otherRoutes: string[];
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

const RANK: Record<Role, number> = { user: 1, manager: 2, admin: 3 };
const NEEDED: Record<Access, number> = { anyone: 0, ...RANK };

/** Mounts one call of the contract, behind the gate that the call's `access` asks for. */
export function serve<const C extends AnyCall>(
  app: FastifyInstance,
  guard: Guard,
  call: C,
  handle: (ctx: RequestContext<C, ViewerFor<C>>) => Promise<ResponseBody<C>>,
) {
  mount(app, guard, call, async (request, reply) => {
    const ctx = { ...readRequest(call, request), viewer: request.viewer as ViewerFor<C>, request, reply };
    const given = await handle(ctx);
    return reply.code(call.success).send(given);
  });
}

/** Mounts a call whose answer is written by hand, a page or a stream, behind the same gate. */
export function mount(
  app: FastifyInstance,
  guard: Guard,
  call: Pick<AnyCall, 'method' | 'path' | 'access' | 'limit' | 'polled'> & Partial<Pick<AnyCall, 'upload'>>,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) {
  app.route({
    method: call.method,
    url: call.path,
    config: { access: call.access },
    onRequest: async (request, reply) => {
      request.viewer = await guard.authenticate(request, reply, call as AnyCall);
      const { viewer } = request;
      if (!viewer && call.access !== 'anyone') throw new Refusal('not_authenticated', 'Please sign in');
      requireSameSite(request, guard.appUrl);
      if (viewer) requireShownViewer(request, viewer);
      if (viewer) guard.limits.user(viewer.id, call.limit);
      else if (!request.countedByIp) guard.limits.ip(clientIpKey(request.ip));
      if (viewer && RANK[viewer.role] < NEEDED[call.access]) {
        throw new Refusal('forbidden', 'You are not allowed to do this');
      }
    },
    preParsing: async (request, _reply, payload) => {
      if (call.upload) requireForm(request);
      else requireJson(request);
      return payload;
    },
    handler,
  });
}

/** A tab that shows one user's leads must not read or change anything in the session of the next. */
function requireShownViewer({ headers }: FastifyRequest, viewer: Viewer) {
  const shown = headers[VIEWER_HEADER];
  if (shown === undefined || shown === String(viewer.id)) return;
  throw new Refusal('session_changed', 'Another user has signed in in this browser');
}

/** A route without a declared access does not start. */
export function requireDeclaredAccess(app: FastifyInstance) {
  const [apiRoutes, otherRoutes]: [string[], string[]] = [[], []];
  app.decorate('apiRoutes', apiRoutes).decorate('otherRoutes', otherRoutes);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (isApi(url) && !config?.access) throw new Error(`${String(method)} ${url} declares no access`);
    const routes = isApi(url) ? apiRoutes : otherRoutes;
    routes.push(...[method].flat().map((each) => `${each} ${url}`));
  });
}

function requireJson({ method, headers }: FastifyRequest) {
  if (method === 'GET' || method === 'HEAD') return;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const type = headers['content-type'];
  const json = type === undefined ? !hasBody : /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type);
  if (!json || headers['content-encoding'] !== undefined) {
    throw new Refusal('unsupported_media_type', 'The request body must be JSON');
  }
}

/** What a call was given, read by its schemas; for calls that are mounted by hand too. */
export function readRequest<C extends AnyCall>(call: C, request: FastifyRequest) {
  return {
    params: readPart(call.params, request.params) as Params<C>,
    query: readPart(call.query, request.query) as Query<C>,
    body: () => {
      const given = readJson(request); // of a call that takes no body too: what is not JSON is refused
      return (takesBody(call) ? call.body.parse(given) : {}) as Body<C>;
    },
    ip: clientIpKey(request.ip),
  };
}

function readJson(request: FastifyRequest): unknown {
  const bytes = request.body as Buffer | undefined;
  return bytes?.length ? parseJsonBody(bytes) : {};
}

const NAMES_A_ROW = new Set<unknown>(['id', 'uuid', 'activityId', 'businessId']);

function readPart(schema: z.ZodType, given: unknown) {
  const read = schema.safeParse(given);
  if (!read.success) {
    const named = read.error.issues.some(({ path }) => NAMES_A_ROW.has(path[0]));
    throw invalid(read.error, named ? 'invalid_id' : 'validation_failed');
  }
  for (const value of Object.values(read.data as object).flat()) if (typeof value === 'string') requireStorable(value);
  return read.data;
}
