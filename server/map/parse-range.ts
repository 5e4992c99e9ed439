interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/** One range of bytes. A header that is absent, or in another form, is ignored, as RFC 9110 allows. */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}
