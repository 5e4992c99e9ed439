import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/** Overhead of a form: boundaries, headers, a few other fields. */
const FORM_OVERHEAD_BYTES = 64 * 1024;
/**
 * How much of a file is read ahead. A closed connection is noticed only by reading from it: with less, a cancelled
 * upload would go unnoticed until everything in transit has been used.
 */
const READ_AHEAD_BYTES = 4 * 1024 * 1024;
const LIMITS = { fields: 10, fieldSize: 1_000, files: 5, parts: 15, headerPairs: 20, headerSize: 8 * 1024 };

export interface Upload {
  fileName: string;
  /**
   * The file as it arrives, with backpressure, never stored. It ends with the form, so that a second file is refused
   * before the end of the first is used.
   */
  bytes: AsyncIterable<Buffer>;
  /** Stops the upload: the reader gets this error, and the rest is discarded. */
  abort: (reason?: Error) => void;
}

export function requireForm({ headers }: FastifyRequest) {
  const form = /^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '');
  if (!form || headers['content-encoding'] !== undefined) {
    throw new Refusal('unsupported_media_type', 'The request body must be a form with a file (multipart/form-data)');
  }
}

/** The file in a field of a form. A file that is too large is refused by its Content-Length, or once it exceeds it. */
export function readUpload(request: FastifyRequest, field: string, maxBytes: number): Promise<Upload> {
  const { raw } = request;
  const tooLarge = () => new Refusal('too_large', `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + FORM_OVERHEAD_BYTES) {
    raw.resume();
    return Promise.reject(tooLarge());
  }

  return new Promise((resolve, reject) => {
    let form: ReturnType<typeof createForm> | undefined;
    let file: BusboyFileStream | undefined;
    let files = 0;
    let [formEnded, formFailed]: [() => void, (reason: Error) => void] = [() => {}, () => {}];
    const formEnd = new Promise<void>((...settle) => {
      [formEnded, formFailed] = settle;
    });
    formEnd.catch(() => {}); // the reader of the file gets the error
    const fail = (reason: Error) => {
      if (form) raw.unpipe(form);
      raw.resume(); // otherwise the client waits forever to send the rest, and never reads the response
      file?.destroy(reason);
      formFailed(reason);
      reject(reason);
    };
    const failUnreadable = () => fail(new Refusal('invalid_request', 'The upload broke off or cannot be read'));
    try {
      form = createForm(request, maxBytes);
    } catch {
      failUnreadable();
      return;
    }
    form.on('file', (name: string, stream: BusboyFileStream, fileName: string | undefined) => {
      stream.on('error', () => {}); // the reader of the file gets the error
      if (fileName) files += 1;
      if (files > 1) fail(new Refusal('validation_failed', 'Please send one file only'));
      if (name !== field || !fileName || files > 1) {
        stream.resume();
        return;
      }
      file = stream;
      stream.on('limit', () => fail(tooLarge()));
      const aborted = new Refusal('invalid_request', 'The upload was abandoned');
      resolve({ fileName, bytes: readFile(stream, formEnd), abort: (reason = aborted) => fail(reason) });
    });
    form.on('finish', () => {
      formEnded();
      reject(new Refusal('file_required', 'Please select a CSV file'));
    });
    form.on('error', failUnreadable);
    raw.on('error', failUnreadable);
    raw.on('aborted', failUnreadable);
    raw.pipe(form);
  });
}

async function* readFile(stream: AsyncIterable<Buffer>, formEnd: Promise<void>): AsyncGenerator<Buffer> {
  yield* stream;
  await formEnd;
}

function createForm(request: FastifyRequest, maxBytes: number) {
  return new Busboy({
    headers: request.headers as BusboyHeaders, // `requireForm` has checked the content type
    fileHwm: READ_AHEAD_BYTES,
    limits: { ...LIMITS, fileSize: maxBytes },
  });
}
