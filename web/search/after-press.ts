import { useEffect, useRef } from 'react';

/**
 * Does something at once, or when a press that is under way has ended. Whatever closes while the button is down moves
 * what is being pressed from under the pointer, and the press is lost.
 */
export function useAfterPress(act: () => void): () => void {
  const pressing = useRef(false);
  const waiting = useRef<() => void>(undefined);
  useEffect(() => {
    const press = () => {
      pressing.current = true;
    };
    const release = () => {
      pressing.current = false;
      const next = waiting.current;
      waiting.current = undefined;
      // The click comes right after this.
      if (next) setTimeout(next);
    };
    window.addEventListener('mousedown', press, true);
    window.addEventListener('mouseup', release, true);
    return () => {
      window.removeEventListener('mousedown', press, true);
      window.removeEventListener('mouseup', release, true);
    };
  }, []);
  return () => {
    if (pressing.current) waiting.current = act;
    else act();
  };
}
