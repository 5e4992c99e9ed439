/**
 * Answers many questions of one kind with one. Whoever asks within the same few milliseconds shares a question to the
 * database: a thousand open pages then cost it tens of questions a second instead of hundreds.
 */
export function gathered<Response>(
  askAll: (keys: string[]) => Promise<Map<string, Response>>,
  windowMs: number,
): (key: string) => Promise<Response | undefined> {
  let next: { keys: Set<string>; responses: Promise<Map<string, Response>> } | undefined;

  const begin = () => {
    const keys = new Set<string>();
    const responses = new Promise<void>((resolve) => setTimeout(resolve, windowMs)).then(() => {
      next = undefined;
      return askAll([...keys]);
    });
    return { keys, responses };
  };

  return async (key) => {
    next ??= begin();
    next.keys.add(key);
    return (await next.responses).get(key);
  };
}
