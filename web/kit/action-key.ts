import { useRef } from 'react';
import { newIdempotencyKey } from './api.ts';

/**
 * The idempotency key of what a person is doing. The same thing sent again after a lost answer is still the same action
 * and keeps its key; something else, or the same once more after it was done, is a new one.
 */
export function useActionKey() {
  const last = useRef<{ content: string; key: string }>(undefined);
  return {
    keyFor(content: object): string {
      const text = JSON.stringify(content);
      if (last.current?.content !== text) last.current = { content: text, key: newIdempotencyKey() };
      return last.current.key;
    },
    done() {
      last.current = undefined;
    },
  };
}
