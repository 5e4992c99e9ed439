import { vi } from 'vitest';

/** Stands in for the browser's EventSource; the test moves it from state to state. */
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
  sendEvent(name = 'notifications', content: object = {}) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(content) }));
  }
  /** The connection is lost; the browser reconnects by itself. */
  break() {
    this.readyState = FakeEventSource.CONNECTING;
    this.onerror?.();
  }
  /** The server refuses; the browser does not reconnect. */
  refuse() {
    this.readyState = FakeEventSource.CLOSED;
    this.onerror?.();
  }
  close() {
    this.readyState = FakeEventSource.CLOSED;
  }
}

/** The streams that are open or connecting. */
export const openStreams = () => FakeEventSource.all.filter(({ readyState }) => readyState !== FakeEventSource.CLOSED);

/** Stubs what jsdom lacks: EventSource, BroadcastChannel and locks. Without locks it is a page on plain http. */
export function fakeEvents({ locks = true } = {}) {
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
  let queue: Promise<unknown> = Promise.resolve();
  return {
    request(_name: string, { signal }: { signal: AbortSignal }, callback: () => Promise<unknown>) {
      const granted = queue.then(() => (signal.aborted ? Promise.reject(new Error('Aborted')) : callback()));
      queue = granted.catch(() => {});
      return granted;
    },
  };
}
