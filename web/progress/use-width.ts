import { useEffect, useRef, useState } from 'react';

/** How wide an element is, so that what is drawn in it keeps the size of its letters. */
export function useWidth<E extends HTMLElement>(atFirst: number) {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(atFirst);
  useEffect(() => {
    if (!ref.current || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
