import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode, Refusal } from '#contract/errors.ts';
import { classifyFault } from '#server/kit/db/faults.ts';

/** Seconds, for temporary refusals. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  database_unavailable: 5,
  storage_full: 30,
  shutting_down: 5,
  busy: 1,
};

/** What somebody may not do, and links and passkeys that are not valid. */
const isReported = (code: ErrorCode) =>
  ERROR_STATUS[code] === 403 || code === 'invalid_token' || code === 'invalid_passkey';

/** The one place where errors become HTTP. */
export function handleErrors(app: FastifyInstance, onRefused: (request: FastifyRequest, refusal: Refusal) => void) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toRefusal(error);
    if (!refusal) {
      request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'unexpected error');
      return sendRefusal(reply, request, UNEXPECTED);
    }
    if (isReported(refusal.code)) onRefused(request, refusal);
    if (ERROR_STATUS[refusal.code] === 503) {
      request.log.warn({ err: error, requestId: request.id, route: request.routeOptions.url }, refusal.code);
    }
    return sendRefusal(reply, request, refusal);
  });
}

export function sendRefusal(reply: FastifyReply, request: FastifyRequest, { code, message, details }: Refusal) {
  const status = ERROR_STATUS[code];
  const retryAfter = details.retryAfter ?? RETRY_AFTER[code];
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send({
      ...details.extra,
      message,
      code,
      ...(details.errors && { errors: details.errors }),
      ...(status >= 500 && { requestId: request.id }),
    });
}

/** Of an error that is a bug. */
export const UNEXPECTED = new Refusal('internal', 'Something went wrong on our side. Please try again.');

/** What people may read of an error; undefined if it is a bug. */
export function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof z.ZodError) return validationRefusal(error);
  return fromFastify(error as FastifyError) ?? fromFile(error as FastifyError) ?? fromDatabase(error);
}

/** The message is the first error; `errors` lists all. */
export function validationRefusal(error: z.ZodError, code: ErrorCode = 'validation_failed'): Refusal {
  const errors = error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  return new Refusal(code, errors[0]?.message ?? 'The request is not valid', { errors });
}

function fromFastify(error: FastifyError): Refusal | undefined {
  if (!error.code?.startsWith('FST_')) return undefined;
  if (error.statusCode === 413) return new Refusal('too_large', 'The request body is too large');
  if (error.statusCode === 415) return new Refusal('unsupported_media_type', 'The request body must be JSON');
  if (error.statusCode && error.statusCode < 500) return new Refusal('invalid_request', 'The request cannot be read');
  return undefined;
}

/** A condition of the request, such as If-Match, that the file does not meet. */
function fromFile({ statusCode }: FastifyError): Refusal | undefined {
  return statusCode === 412 ? new Refusal('invalid_request', 'The file has changed') : undefined;
}

function fromDatabase(error: unknown): Refusal | undefined {
  switch (classifyFault(error).kind) {
    case 'unavailable':
      return new Refusal('database_unavailable', 'The database cannot be reached. Please try again in a moment.');
    case 'timeout':
      return new Refusal('database_unavailable', 'The database took too long. Please try again in a moment.');
    case 'full':
      return new Refusal('storage_full', 'There is no space left to store changes. Nothing was changed.');
    case 'conflict':
      return new Refusal('busy', 'Others are changing the same thing. Please try again.');
    default:
      return undefined;
  }
}
