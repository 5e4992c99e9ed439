import { Counter, Gauge, type Registry } from 'prom-client';

/** Undefined leaves the sample out, so that no query takes it for a zero. */
type Read = () => number | undefined | Promise<number | undefined>;

/** A gauge whose value is read at each scrape, and costs nothing in between. */
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

/** Gauges by one label. What is not read is left out. */
export function gaugeBy(
  registry: Registry,
  { name, help, label }: { name: string; help: string; label: string },
  read: () => Promise<Record<string, number>>,
) {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await read();
      this.reset();
      for (const [value, count] of Object.entries(values)) this.set({ [label]: value }, count);
    },
  });
}

/** Counters by one label, whose values are read at each scrape. */
export function counterBy(
  registry: Registry,
  { name, help, label }: { name: string; help: string; label: string },
  read: () => Record<string, number>,
) {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    },
  });
}

/** A counter whose value is read at each scrape. */
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
