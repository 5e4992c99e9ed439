import { useRef } from 'react';
import { newIdempotencyKey } from './api.ts';

/**
 * The idempotency key of an action. Sending the same content again, after a lost response, keeps the key; other content,
 * or any content after `reset`, gets a new one.
 */
export function useIdempotencyKey() {
  const last = useRef<{ content: string; key: string }>(undefined);
  return {
    keyFor(content: object): string {
      const text = JSON.stringify(content);
      if (last.current?.content !== text) last.current = { content: text, key: newIdempotencyKey() };
      return last.current.key;
    },
    /** Call when the action has succeeded. */
    reset() {
      last.current = undefined;
    },
  };
}
