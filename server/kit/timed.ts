/** Caches the result for this long, so that concurrent and repeated callers share one read. */
export function cacheFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let cached: { until: number; value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!cached || cached.until <= now) cached = { until: now + ms, value: read() };
    return cached.value;
  };
}

/** Undefined when the promise rejects or takes longer than this. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([promise.catch(() => undefined), timeout]).finally(() => clearTimeout(timer));
}
