/**
 * Answers many questions of one kind with one. Whoever asks within the same few milliseconds shares a question to the
 * database: a thousand open pages then cost it tens of questions a second instead of hundreds.
 */
export function gathered<Answer>(
  askAll: (keys: string[]) => Promise<Map<string, Answer>>,
  windowMs: number,
): (key: string) => Promise<Answer | undefined> {
  let next: { keys: Set<string>; answers: Promise<Map<string, Answer>> } | undefined;

  const begin = () => {
    const keys = new Set<string>();
    const answers = new Promise<void>((resolve) => setTimeout(resolve, windowMs)).then(() => {
      next = undefined;
      return askAll([...keys]);
    });
    return { keys, answers };
  };

  return async (key) => {
    next ??= begin();
    next.keys.add(key);
    return (await next.answers).get(key);
  };
}
