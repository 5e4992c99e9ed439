import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { clientIpKey } from '#server/kit/http/client/client-ip.ts';
import { compressJson } from '#server/kit/http/client/compress-json.ts';
import { createHostCheck } from '#server/kit/http/client/same-site.ts';
import type { Logger } from '#server/kit/log.ts';
import { handleErrors, sendRefusal } from './errors.ts';
import { commonHeaders, sendCommonHeaders } from './headers.ts';
import { requireDeclaredAccess } from './serve.ts';

const MAX_JSON_BYTES = 256 * 1024;
const JSON_TIMEOUT_MS = 60_000;
/** Probes and scrapers may use any host name; /metrics has its own access rule. */
export const MACHINE_PATHS = /^\/(healthz|readyz|metrics)(\?|$)/;
/** Long enough for an import over a slow connection. */
const REQUEST_TIMEOUT_MS = 600_000;

interface Options {
  appUrl: string;
  trustProxy: number;
  log: Logger;
  onRefused: (request: FastifyRequest, refusal: Refusal) => void;
  /** Called first for every request. */
  measure: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Fastify's own lines contain the URL with its tokens; `logRequests` writes ours instead. */
class SilentLogController extends LogController {
  override isLogDisabled = () => true;
  override incomingRequest() {}
  override requestCompleted() {}
  override routeNotFound() {}
  override defaultErrorLog() {}
}

/** A server without routes: size and time limits, common headers, host check, request log and error handler. */
export async function createHttp({ appUrl, trustProxy, log, onRefused, measure }: Options) {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new SilentLogController(),
    genReqId: () => randomUUID(),
    // Trust X-Forwarded-For only for as many hops as we have proxies; clients can forge the rest.
    trustProxy: trustProxy > 0 && ((_address: string, hop: number) => hop < trustProxy),
    bodyLimit: MAX_JSON_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    clientErrorHandler: handleClientError(appUrl),
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ ...commonHeaders(appUrl), 'cache-control': 'no-store' });
      sendRefusal(reply, request, new Refusal('invalid_request', 'The address cannot be read'));
    },
  });

  app.decorateRequest('viewer', null);
  app.decorateRequest('countedByIp', false);
  app.addHook('onRequest', (request, reply, done) => {
    measure(request, reply);
    done();
  });
  requireDeclaredAccess(app);
  sendCommonHeaders(app, appUrl);
  compressJson(app);
  const requireKnownHost = createHostCheck(appUrl);
  app.addHook('onRequest', async (request) => {
    if (!MACHINE_PATHS.test(request.url)) requireKnownHost(request);
  });
  logRequests(app, log);
  handleErrors(app, onRefused);

  await app.register(cookie);
  app.removeAllContentTypeParsers();
  // Bodies stay bytes; the handler parses them after authorisation (see `serve`).
  app.addContentTypeParser(['application/json', 'application/x-www-form-urlencoded'], (request, payload, done) => {
    readBytes(request, payload, done);
  });
  // The handler reads the file (see `readUpload`).
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  return app;
}

/** Responds to what is not valid HTTP in the form of every other error, if the socket is still writable. */
function handleClientError(appUrl: string) {
  const headers = Object.entries({ ...commonHeaders(appUrl), 'cache-control': 'no-store', connection: 'close' });
  const buildResponse = (status: string, refusal: { message: string; code: string }) => {
    const body = JSON.stringify(refusal);
    const lines = [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ];
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  };
  const badRequest = buildResponse('400 Bad Request', {
    message: 'The request cannot be read',
    code: 'invalid_request',
  });
  const headersTooLarge = buildResponse('431 Request Header Fields Too Large', {
    message: "The request's headers are too large",
    code: 'too_large',
  });
  return ({ code }: Error & { code?: string }, socket: Socket) => {
    if (socket.writable) socket.end(code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge : badRequest);
    else socket.destroy();
  };
}

function readBytes(
  request: FastifyRequest,
  payload: AsyncIterable<Buffer> & { destroy: (error?: Error) => void },
  done: (error: Error | null, body?: Buffer) => void,
) {
  const tooLarge = () => new Refusal('too_large', 'The request body is too large');
  const declared = Number(request.headers['content-length'] ?? 0);
  const timer = setTimeout(() => request.raw.destroy(), JSON_TIMEOUT_MS);
  const read = async () => {
    if (declared > MAX_JSON_BYTES) throw tooLarge();
    let buffer = Buffer.alloc(0);
    let size = 0;
    for await (const chunk of payload) {
      if (size + chunk.length > MAX_JSON_BYTES) throw tooLarge();
      // Into one buffer: a client that sends single bytes would otherwise cost an object for each.
      if (size + chunk.length > buffer.length) buffer = grow(buffer.subarray(0, size), 2 * (size + chunk.length));
      size += chunk.copy(buffer, size);
    }
    return buffer.subarray(0, size);
  };
  read()
    .finally(() => clearTimeout(timer))
    .then(
      (bytes) => done(null, bytes),
      // The client disconnected: not an error of the server.
      (error) => done(error instanceof Refusal ? error : new Refusal('invalid_request', 'The request broke off')),
    );
}

function grow(bytes: Buffer, length: number) {
  const larger = Buffer.allocUnsafeSlow(length);
  bytes.copy(larger);
  return larger;
}

type App = Awaited<ReturnType<typeof createHttp>>;

/** One line per request without secrets: the route's pattern instead of the URL. */
function logRequests(app: Pick<App, 'addHook'>, log: Logger) {
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        userId: request.viewer?.id,
        tokenId: request.viewer?.program?.tokenId,
        address: clientIpKey(request.ip),
      },
      'request',
    );
  });
}
