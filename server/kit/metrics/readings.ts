import { Counter, Gauge, type Registry } from 'prom-client';

/** Nothing to say at the moment: the line is left out, which no sum takes for a zero. */
type Read = () => number | undefined | Promise<number | undefined>;

/** A number that is read when somebody asks for it. In between it costs nothing. */
export function gauge(registry: Registry, name: string, help: string, read: Read) {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** The same for what only ever grows. */
export function counter(registry: Registry, name: string, help: string, read: () => number) {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Asks once for everybody who wants to know within this time. */
export function shared<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { until: number; value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || last.until <= now) last = { until: now + ms, value: read() };
    return last.value;
  };
}

/** The answer, or undefined when it fails or takes longer than this. */
export async function orNothing<T>(ms: number, response: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([response.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}
