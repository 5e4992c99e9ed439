/**
 * Loads many keys with one query: keys requested within the same few milliseconds share a batch. A thousand open pages
 * then cost the database tens of queries a second instead of hundreds.
 */
export function batchLoader<Value>(
  loadMany: (keys: string[]) => Promise<Map<string, Value>>,
  windowMs: number,
): (key: string) => Promise<Value | undefined> {
  let batch: { keys: Set<string>; values: Promise<Map<string, Value>> } | undefined;

  const openBatch = () => {
    const keys = new Set<string>();
    const values = new Promise<void>((resolve) => setTimeout(resolve, windowMs)).then(() => {
      batch = undefined;
      return loadMany([...keys]);
    });
    return { keys, values };
  };

  return async (key) => {
    batch ??= openBatch();
    batch.keys.add(key);
    return (await batch.values).get(key);
  };
}
