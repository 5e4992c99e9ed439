/** Reads or writes web storage, which can be forbidden or full: then nothing is stored, and the result is undefined. */
export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
