import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/** What a form adds around its file: boundaries, headers, a few other fields. */
const FORM_BYTES = 64 * 1024;
/**
 * How much of a file is read before it is used. Nobody sees that a connection has ended who does not read from it: with
 * less, whoever cancels would be noticed only when all that is under way has been used.
 */
const READ_AHEAD_BYTES = 4 * 1024 * 1024;
const LIMITS = { fields: 10, fieldSize: 1_000, files: 5, parts: 15, headerPairs: 20, headerSize: 8 * 1024 };

export interface Upload {
  fileName: string;
  /**
   * The file as it arrives. It is read little faster than it is used, and nothing of it is kept. It ends when the form
   * does, so that a second file is refused before the last of the first is used.
   */
  bytes: AsyncIterable<Buffer>;
  /** No more of it is wanted: whoever reads on gets this error, and the rest is read away unseen. */
  abandon: (reason?: Error) => void;
}

export function requireForm({ headers }: FastifyRequest) {
  const form = /^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '');
  if (!form || headers['content-encoding'] !== undefined) {
    throw new Refusal('unsupported_media_type', 'The request body must be a form with a file (multipart/form-data)');
  }
}

/** The file in a field of a form. What is too large is refused by its claimed size, or as soon as it shows. */
export function readUpload(request: FastifyRequest, field: string, mostBytes: number): Promise<Upload> {
  const { raw } = request;
  const tooLarge = () => new Refusal('too_large', `The file is larger than ${Math.floor(mostBytes / 1024 / 1024)} MB`);
  if (Number(request.headers['content-length'] ?? 0) > mostBytes + FORM_BYTES) {
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
    formEnd.catch(() => {}); // the reader of the file gets it
    const fail = (reason: Error) => {
      if (form) raw.unpipe(form);
      raw.resume(); // else the sender would wait for ever to send the rest, and never read the answer
      file?.destroy(reason);
      formFailed(reason);
      reject(reason);
    };
    const unreadable = () => fail(new Refusal('invalid_request', 'The upload broke off or cannot be read'));
    try {
      form = createForm(request, mostBytes);
    } catch {
      unreadable();
      return;
    }
    form.on('file', (name: string, stream: BusboyFileStream, fileName: string | undefined) => {
      stream.on('error', () => {}); // told to whoever reads the file
      if (fileName) files += 1;
      if (files > 1) fail(new Refusal('validation_failed', 'Please send one file only'));
      if (name !== field || !fileName || files > 1) {
        stream.resume();
        return;
      }
      file = stream;
      stream.on('limit', () => fail(tooLarge()));
      const ended = new Refusal('invalid_request', 'The upload was abandoned');
      resolve({ fileName, bytes: readFile(stream, formEnd), abandon: (reason = ended) => fail(reason) });
    });
    form.on('finish', () => {
      formEnded();
      reject(new Refusal('file_required', 'Please select a CSV file'));
    });
    form.on('error', unreadable);
    raw.on('error', unreadable);
    raw.on('aborted', unreadable);
    raw.pipe(form);
  });
}

async function* readFile(stream: AsyncIterable<Buffer>, formEnd: Promise<void>): AsyncGenerator<Buffer> {
  yield* stream;
  await formEnd;
}

function createForm(request: FastifyRequest, mostBytes: number) {
  return new Busboy({
    headers: request.headers as BusboyHeaders, // `requireForm` has seen that there is a content type
    fileHwm: READ_AHEAD_BYTES,
    limits: { ...LIMITS, fileSize: mostBytes },
  });
}
