import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import type { Logger } from '#server/kit/log.ts';
import { clientIpKey } from './client-ip.ts';
import { handleErrors, response } from './errors.ts';
import { commonHeaders, sendCommonHeaders } from './headers.ts';
import { knownHostRule } from './same-site.ts';
import { requireDeclaredAccess } from './serve.ts';

const JSON_LIMIT_BYTES = 256 * 1024;
const JSON_BODY_MS = 60_000;
/** By whatever name the machine that asks knows this one; metrics have a rule of their own. */
export const ASKED_BY_MACHINES = /^\/(healthz|readyz|metrics)(\?|$)/;
/** The longest that any request may take to arrive: an import over a slow line. */
const REQUEST_MS = 600_000;

interface Options {
  appUrl: string;
  trustProxy: number;
  log: Logger;
  refused: (request: FastifyRequest, refusal: Refusal) => void;
  /** Sees every request before anything else does. */
  measure: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Fastify's own lines hold the raw address, tokens in it included; ours are written by `logRequests`. */
class OwnLines extends LogController {
  override isLogDisabled = () => true;
  override incomingRequest() {}
  override requestCompleted() {}
  override routeNotFound() {}
  override defaultErrorLog() {}
}

/** A server that knows no call yet: limits, headers, host check, request log and the answer to every error. */
export async function createHttp({ appUrl, trustProxy, log, refused, measure }: Options) {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new OwnLines(),
    genReqId: () => randomUUID(),
    // As many hops as there are proxies of ours; whatever lies behind the last of them is hearsay.
    trustProxy: trustProxy > 0 && ((_address: string, hop: number) => hop < trustProxy),
    bodyLimit: JSON_LIMIT_BYTES,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    clientErrorHandler: answerUnreadable(appUrl),
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ ...commonHeaders(appUrl), 'cache-control': 'no-store' });
      response(reply, request, new Refusal('invalid_request', 'The address cannot be read'));
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
  const requireKnownHost = knownHostRule(appUrl);
  app.addHook('onRequest', async (request) => {
    if (!ASKED_BY_MACHINES.test(request.url)) requireKnownHost(request);
  });
  logRequests(app, log);
  handleErrors(app, refused);

  await app.register(cookie);
  app.removeAllContentTypeParsers();
  // Bodies are kept as bytes and read by the handler, when it is that body's turn (see `serve`).
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBytes(request, payload, done);
  });
  // A file is not read before its handler asks for it (see `readUpload`).
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  return app;
}

/** What is not even HTTP gets an answer of the same form as everything else, as far as the line still takes one. */
function answerUnreadable(appUrl: string) {
  const headers = Object.entries({ ...commonHeaders(appUrl), 'cache-control': 'no-store', connection: 'close' });
  const written = (status: string, said: { message: string; code: string }) => {
    const body = JSON.stringify(said);
    const lines = [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ];
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  };
  const unreadable = written('400 Bad Request', { message: 'The request cannot be read', code: 'invalid_request' });
  const overloaded = written('431 Request Header Fields Too Large', {
    message: "The request's headers are too large",
    code: 'too_large',
  });
  return ({ code }: Error & { code?: string }, socket: Socket) => {
    if (socket.writable) socket.end(code === 'HPE_HEADER_OVERFLOW' ? overloaded : unreadable);
    else socket.destroy();
  };
}

function readBytes(
  request: FastifyRequest,
  payload: AsyncIterable<Buffer> & { destroy: (error?: Error) => void },
  done: (error: Error | null, body?: Buffer) => void,
) {
  const tooLarge = new Refusal('too_large', 'The request body is too large');
  const claimed = Number(request.headers['content-length'] ?? 0);
  const late = setTimeout(() => request.raw.destroy(), JSON_BODY_MS);
  const read = async () => {
    if (claimed > JSON_LIMIT_BYTES) throw tooLarge;
    let held = Buffer.alloc(0);
    let size = 0;
    for await (const chunk of payload) {
      if (size + chunk.length > JSON_LIMIT_BYTES) throw tooLarge;
      // Into one piece: who sends byte after byte would else have us keep an object for each.
      if (size + chunk.length > held.length) held = enlarged(held.subarray(0, size), 2 * (size + chunk.length));
      size += chunk.copy(held, size);
    }
    return held.subarray(0, size);
  };
  read()
    .finally(() => clearTimeout(late))
    .then(
      (bytes) => done(null, bytes),
      // Nobody is left to read the answer, and it is no fault of ours.
      (error) => done(error instanceof Refusal ? error : new Refusal('invalid_request', 'The request broke off')),
    );
}

function enlarged(bytes: Buffer, length: number) {
  const larger = Buffer.allocUnsafeSlow(length);
  bytes.copy(larger);
  return larger;
}

type App = Awaited<ReturnType<typeof createHttp>>;

/** One line per request, of things that are nobody's secret: the route's pattern instead of the address. */
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
        address: clientIpKey(request.ip),
      },
      'request',
    );
  });
}
