import { vi } from 'vitest';

/** A stream as the browser has it, moved by hand. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readyState = FakeEventSource.CONNECTING;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    FakeEventSource.all.push(this);
  }
  open() {
    this.readyState = FakeEventSource.OPEN;
    this.onopen?.();
  }
  tell() {
    this.dispatchEvent(new Event('notifications'));
  }
  /** The connection is lost; the browser tries again by itself. */
  break() {
    this.readyState = FakeEventSource.CONNECTING;
    this.onerror?.();
  }
  /** The server refuses; the browser gives up. */
  refuse() {
    this.readyState = FakeEventSource.CLOSED;
    this.onerror?.();
  }
  close() {
    this.readyState = FakeEventSource.CLOSED;
  }
}

/** The streams that are open or being opened. */
export const streams = () => FakeEventSource.all.filter(({ readyState }) => readyState !== FakeEventSource.CLOSED);

/** What jsdom lacks: streams, channels between tabs and, unless the page is on plain http, locks. */
export function fakeBrowser({ locks = true } = {}) {
  FakeEventSource.all = [];
  const channels = new Set<FakeChannel>();

  class FakeChannel {
    onmessage: ((event: { data: unknown }) => void) | null = null;
    constructor(readonly name: string) {
      channels.add(this);
    }
    postMessage(data: unknown) {
      for (const other of channels) if (other !== this && other.name === this.name) other.onmessage?.({ data });
    }
    close() {
      channels.delete(this);
    }
  }

  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: locks ? fakeLocks() : undefined } }));
}

function fakeLocks() {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    request(_name: string, { signal }: { signal: AbortSignal }, held: () => Promise<unknown>) {
      const mine = turn.then(() => (signal.aborted ? Promise.reject(new Error('Aborted')) : held()));
      turn = mine.catch(() => {});
      return mine;
    },
  };
}
