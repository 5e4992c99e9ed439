import { onTestFinished, vi } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import type { ImportResponse } from '#contract/import/import.calls.ts';

/** Stubs XMLHttpRequest, which uploads: the test decides when an upload progresses and how it ends. */
export function fakeUploads() {
  const uploads: FakeUpload[] = [];
  class FakeUpload extends EventTarget {
    upload = new EventTarget();
    status = 0;
    statusText = '';
    responseText = '';
    headers = new Map<string, string>();
    opened = '';
    body: FormData | undefined;
    open(method: string, path: string) {
      this.opened = `${method} ${path}`;
    }
    setRequestHeader(name: string, value: string) {
      this.headers.set(name, value);
    }
    getResponseHeader() {
      return null;
    }
    send(body: FormData) {
      this.body = body;
      uploads.push(this);
    }
    aborted = false;
    abort() {
      this.aborted = true;
      this.dispatchEvent(new Event('abort'));
    }
    /** Reports upload progress, in bytes. */
    progresses(loaded: number, total: number) {
      this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }));
      if (loaded === total) this.upload.dispatchEvent(new Event('load'));
    }
    responds(status: number, body: unknown) {
      this.status = status;
      this.responseText = typeof body === 'string' ? body : JSON.stringify(body);
      this.dispatchEvent(new Event('load'));
    }
    refuses(code: ErrorCode, message: string) {
      this.responds(ERROR_STATUS[code], { code, message });
    }
    breaks() {
      this.dispatchEvent(new Event('error'));
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  // The next test, of another file perhaps, finds no upload under way.
  onTestFinished(() => {
    for (const upload of uploads) upload.abort();
  });
  return {
    uploads,
    latest: () => {
      const last = uploads.at(-1);
      if (!last) throw new Error('Nothing was uploaded');
      return last;
    },
  };
}

export const buildImportResponse = (
  successful: number,
  errors: string[] = [],
  more: Partial<ImportResponse> = {},
): ImportResponse => ({
  message: `Imported ${successful} of ${successful + errors.length} businesses.`,
  importResults: { total: successful + errors.length, successful, failed: errors.length, errors },
  alreadyThere: 0,
  refused: { columns: ['Business Name'], rows: [], leftOut: 0 },
  ...more,
});

export const csv = (name = 'leads.csv', text = 'Business Name\nBlue Door Bakery\n') => new File([text], name);
