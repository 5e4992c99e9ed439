const OPENSTREETMAP = '© OpenStreetMap contributors';

interface Options {
  /** The JSON of the file. */
  metadata: unknown;
  /** The operator's text, for a file without one. */
  fallback: string;
  /** Vector tiles are made of OpenStreetMap's data, which has to be named. */
  vector: boolean;
}

/** The attribution of a map file as text: its own contains HTML, which is not trusted. */
export function buildAttribution({ metadata, fallback, vector }: Options): string {
  const own = (metadata as { attribution?: unknown } | undefined)?.attribution;
  const text = (typeof own === 'string' && toText(own)) || fallback;
  if (!vector || /openstreetmap/i.test(text)) return text;
  return [text, OPENSTREETMAP].filter(Boolean).join(' | ');
}

/** Scripts of a parsed document do not run, and its images are not loaded. */
const toText = (html: string) =>
  (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 500);
