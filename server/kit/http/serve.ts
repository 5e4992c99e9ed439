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
import { changesOneLead } from '#contract/leads/lead-call.ts';
import { findProgramObstacle } from '#contract/tokens/program-policy.ts';
import type { Program, ProgramRights } from '#contract/users/program.ts';
import type { Role, Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { clientIpKey } from '#server/kit/http/client/client-ip.ts';
import { requireSameSite } from '#server/kit/http/client/same-site.ts';
import { validationRefusal } from './errors.ts';
import { isApi } from './headers.ts';
import { parseJsonBody, requireStorable } from './json-body.ts';
import type { RequestLimits } from './request-limits.ts';
import { requireForm } from './upload.ts';

/** Who makes a request. */
export interface Caller extends Viewer {
  /** Whether they have to set up a second factor before anything else. */
  limited: boolean;
}

export interface Guard {
  appUrl: string;
  limits: RequestLimits;
  /** The viewer of a request, or null. Clears a cookie that is no longer valid. */
  authenticate: (request: FastifyRequest, reply: FastifyReply, call: AnyCall) => Promise<Caller | null>;
  /** The user of a request with a token, and the program; null without a token. Refuses one that is not valid. */
  authenticateProgram: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | null>;
  /** Refuses without a recent proof of who the viewer is, where the team's rules want one. */
  requireProof: (request: FastifyRequest, tx?: Db) => Promise<void>;
}

export interface RequestContext<C extends AnyCall, V = Viewer> {
  viewer: V;
  params: Params<C>;
  query: Query<C>;
  /** Parses the body. Called by handlers after authorisation, so that validation reveals nothing to refused callers. */
  body: () => Body<C>;
  /** The client's IP, as `clientIpKey` groups it. */
  ip: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Only calls with the access `anyone` may have no viewer. */
type ViewerFor<C extends AnyCall> = C['access'] extends 'anyone' ? Viewer | null : Viewer;

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null;
    /** Already counted as an anonymous request, because its session cookie is not valid. */
    countedByIp: boolean;
  }
  interface FastifyInstance {
    /** Every call that is mounted, as "METHOD /api/path". */
    apiRoutes: string[];
    /** Routes outside the API, each with its own access rule. */
    otherRoutes: string[];
  }
  interface FastifyContextConfig {
    access?: Access;
    sentLater?: boolean;
  }
}

const RANK: Record<Role, number> = { user: 1, manager: 2, admin: 3 };
const REQUIRED_RANK: Record<Access, number> = { anyone: 0, ...RANK };

/** Mounts one call of the contract, guarded by the call's `access`. */
export function serve<const C extends AnyCall>(
  app: FastifyInstance,
  guard: Guard,
  call: C,
  handle: (ctx: RequestContext<C, ViewerFor<C>>) => Promise<ResponseBody<C>>,
) {
  mount(app, guard, call, async (request, reply) => {
    const ctx = { ...readRequest(call, request), viewer: request.viewer as ViewerFor<C>, request, reply };
    const response = await handle(ctx);
    return reply.code(call.success).send(response);
  });
}

/** Mounts a call whose handler writes the response itself, such as a page or a stream, with the same guard. */
export function mount(
  app: FastifyInstance,
  guard: Guard,
  call: Pick<AnyCall, 'method' | 'path' | 'access' | 'limit' | 'polled'> &
    Partial<
      Pick<
        AnyCall,
        'upload' | 'urlEncoded' | 'ignoresBody' | 'withoutSecondFactor' | 'needsProof' | 'programs' | 'sentLater'
      >
    > & {
      rights?: ProgramRights;
    },
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) {
  app.route({
    method: call.method,
    url: call.path,
    config: { access: call.access, sentLater: call.sentLater ?? false },
    onRequest: async (request, reply) => {
      const caller =
        (await guard.authenticateProgram(request, reply)) ??
        (await guard.authenticate(request, reply, call as AnyCall));
      const viewer = caller && toViewer(caller);
      request.viewer = viewer;
      if (!viewer && call.access !== 'anyone') throw new Refusal('not_authenticated', 'Please sign in');
      // No browser adds a token to a request by itself, so that another site cannot either.
      if (!viewer?.program) requireSameSite(request, guard.appUrl);
      if (viewer) requireSameViewer(request, viewer);
      if (viewer?.program) guard.limits.countByProgram({ ...viewer.program, userId: viewer.id }, call.limit);
      else if (viewer) guard.limits.countByUser(viewer.id, call.limit);
      else if (!request.countedByIp) guard.limits.countByIp(clientIpKey(request.ip));
      if (viewer && RANK[viewer.role] < REQUIRED_RANK[call.access]) {
        throw new Refusal('forbidden', 'You are not allowed to do this');
      }
      if (viewer?.program) requireAllowed(call, viewer.program);
      requireComparable(call, request);
      if (caller?.limited && (viewer?.program || (call.access !== 'anyone' && !call.withoutSecondFactor))) {
        throw new Refusal('second_factor_required', 'Please set up a second factor first, on the page of your account');
      }
    },
    preHandler: async (request) => {
      if (call.needsProof) await guard.requireProof(request);
    },
    preParsing: async (request, _reply, payload) => {
      if (call.upload) requireForm(request);
      else if (call.urlEncoded) requireUrlEncoded(request);
      else if (!call.ignoresBody) requireJson(request);
      return payload;
    },
    handler,
  });
}

/** A client that sends a version relies on its being compared. */
function requireComparable(call: Pick<AnyCall, 'method' | 'path'>, { headers }: FastifyRequest) {
  if (call.method === 'GET' || headers['if-match'] === undefined || changesOneLead(call)) return;
  throw new Refusal('invalid_request', 'If-Match is for calls that change one lead');
}

const toViewer = ({ id, role, program }: Caller): Viewer => ({ id, role, ...(program && { program }) });

function requireAllowed(call: Parameters<typeof findProgramObstacle>[0], program: Program) {
  const obstacle = findProgramObstacle(call, program);
  if (obstacle) throw new Refusal('token_not_allowed', obstacle);
}

/** A tab that shows one user's data must not read or change anything in the session of another. */
function requireSameViewer({ headers }: FastifyRequest, viewer: Viewer) {
  const expected = headers[VIEWER_HEADER];
  if (expected === undefined || expected === String(viewer.id)) return;
  throw new Refusal('session_changed', 'Another user has signed in in this browser');
}

/** Mounting an API route without a declared access throws. */
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

function requireUrlEncoded({ headers }: FastifyRequest) {
  const form = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '');
  if (!form || headers['content-encoding'] !== undefined) {
    throw new Refusal('unsupported_media_type', 'The request body must be application/x-www-form-urlencoded');
  }
}

/** Parses a request by the call's schemas; exported for calls mounted with `mount`. */
export function readRequest<C extends AnyCall>(call: C, request: FastifyRequest) {
  return {
    params: parsePart(call.params, request.params) as Params<C>,
    query: parsePart(call.query, request.query) as Query<C>,
    body: () => {
      if (call.urlEncoded) return call.body.parse(readUrlEncoded(request)) as Body<C>;
      const json = readJson(request); // also for a call without a body: malformed JSON is refused
      return (takesBody(call) ? call.body.parse(json) : {}) as Body<C>;
    },
    ip: clientIpKey(request.ip),
  };
}

/** A repeated field is as wrong as a missing one. */
function readUrlEncoded({ body }: FastifyRequest): unknown {
  const fields = new URLSearchParams((body as Buffer | undefined)?.toString('utf8'));
  return Object.fromEntries([...fields].filter(([name]) => fields.getAll(name).length === 1));
}

function readJson(request: FastifyRequest): unknown {
  const bytes = request.body as Buffer | undefined;
  return bytes?.length ? parseJsonBody(bytes) : {};
}

const ID_PARAMS = new Set<unknown>(['id', 'uuid', 'activityId', 'businessId', 'batchId']);

function parsePart(schema: z.ZodType, input: unknown) {
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    const isId = parsed.error.issues.some(({ path }) => ID_PARAMS.has(path[0]));
    throw validationRefusal(parsed.error, isId ? 'invalid_id' : 'validation_failed');
  }
  for (const value of Object.values(parsed.data as object).flat())
    if (typeof value === 'string') requireStorable(value);
  return parsed.data;
}
