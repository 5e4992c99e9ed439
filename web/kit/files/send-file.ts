import { type AnyCall, buildPath, type ResponseBody } from '#contract/call.ts';
import { ConnectionError, parseJson, toApiError, viewerHeader, withSessionAbort } from '#web/kit/api.ts';

interface Options {
  signal: AbortSignal;
  idempotencyKey: string;
  headers?: Record<string, string>;
  /** The share of the request that was sent, from 0 to 1. */
  onProgress: (share: number) => void;
}

/** Like `send`, for the calls that take a file: `fetch` has no upload progress. */
export function sendFile<C extends AnyCall>(call: C, file: File, options: Options): Promise<ResponseBody<C>> {
  const { signal, done } = withSessionAbort(options.signal);
  const form = new FormData();
  form.append(call.upload ?? '', file);

  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const aborted = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    if (signal.aborted) {
      aborted();
      return;
    }
    request.open(call.method, buildPath(call));
    request.setRequestHeader('idempotency-key', options.idempotencyKey);
    for (const [name, value] of Object.entries({ ...viewerHeader(), ...options.headers })) {
      request.setRequestHeader(name, value);
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => options.onProgress(total ? loaded / total : 0));
    request.upload.addEventListener('load', () => options.onProgress(1));
    request.addEventListener('load', () => resolve(toResponse(request)));
    request.addEventListener('error', () => reject(new ConnectionError()));
    request.addEventListener('abort', aborted);
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  })
    .then(async (response) => {
      if (!response.ok) throw await toApiError(response);
      return (await parseJson(response)) as ResponseBody<C>;
    })
    .finally(done);
}

function toResponse(request: XMLHttpRequest): Response {
  const { responseText, status, statusText } = request;
  const retryAfter = request.getResponseHeader('retry-after');
  return new Response(responseText, { status, statusText, headers: retryAfter ? { 'retry-after': retryAfter } : {} });
}
