import { EVENT_NAME, EVENTS_PATH } from '#contract/notifications/notifications.calls.ts';

const NAME = 'highstreet.events';
const RETRY_MS = 30_000;

interface Listener {
  /** Something is new; what, is to be asked. */
  onNews: () => void;
  /** Whether news can be heard. While they cannot, asking now and then is all that is left. */
  onState: (heard: boolean) => void;
}

type Message = 'news' | 'heard' | 'unheard' | 'who hears?';

/**
 * Hears of news over one connection for all tabs of this browser: over HTTP/1.1 a browser opens six to one server, and
 * one for each tab would leave none for anything else. The tab that holds the lock listens and tells the others; when
 * it is closed, the next one gets the lock. Answers how to stop.
 */
export function hearNews({ onNews, onState }: Listener): () => void {
  if (typeof EventSource === 'undefined' || typeof BroadcastChannel === 'undefined') return () => {};
  const stop = new AbortController();
  const others = new BroadcastChannel(NAME);
  let hearing: boolean | undefined;

  others.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data === 'news') onNews();
    if (data === 'heard' || data === 'unheard') onState(data === 'heard');
    if (data === 'who hears?' && hearing !== undefined) tell(hearing ? 'heard' : 'unheard');
  };
  const tell = (message: Message) => others.postMessage(message);

  const listen = (signal: AbortSignal) =>
    openStream(signal, {
      onNews: () => {
        onNews();
        tell('news');
      },
      onState: (heard) => {
        hearing = heard;
        onState(heard);
        tell(heard ? 'heard' : 'unheard');
      },
    });

  tell('who hears?');
  takeTurns(stop.signal, listen);
  return () => {
    stop.abort();
    others.close();
  };
}

type Listen = (signal: AbortSignal) => void;

function takeTurns(signal: AbortSignal, listen: Listen) {
  // Locks exist only on https and localhost. Elsewhere the tab that is looked at listens: there is seldom more than one.
  if (!navigator.locks) return whileVisible(signal, listen);
  const held = () => {
    listen(signal);
    return new Promise<void>((release) => signal.addEventListener('abort', () => release()));
  };
  // Given up while still in the queue: that is how waiting ends.
  navigator.locks.request(NAME, { signal }, held).catch(() => {});
}

function whileVisible(signal: AbortSignal, listen: Listen) {
  let turn: AbortController | undefined;
  const look = () => {
    turn?.abort();
    turn = undefined;
    if (document.visibilityState === 'hidden') return;
    turn = new AbortController();
    listen(turn.signal);
  };
  look();
  document.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', () => turn?.abort());
}

/** A stream that is opened again whenever it breaks. What happened meanwhile was missed, so that opening it is news. */
function openStream(signal: AbortSignal, { onNews, onState }: Listener) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;
  let missed = false;

  const open = () => {
    source = new EventSource(EVENTS_PATH);
    source.onopen = () => {
      onState(true);
      if (missed) onNews();
      missed = false;
    };
    source.onerror = () => {
      missed = true;
      onState(false);
      // The browser tries again by itself after a broken connection, but not after a refusal.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS);
    };
    source.addEventListener(EVENT_NAME, onNews);
  };
  open();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    source?.close();
  });
}
