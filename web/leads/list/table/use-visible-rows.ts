import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/** Rows before and after those in view, so that Tab and slow scrolling find them. */
const OVERSCAN = 4;
/** Before the element is laid out. */
const ASSUMED_HEIGHT_PX = 800;

export interface RowRange {
  from: number;
  /** Not included. */
  to: number;
}

/** The rows of a scrolled element that are drawn: those in view and a few around them. All are `rowRem` high. */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, rowRem: number): RowRange {
  const [view, setView] = useState({ first: 0, rows: 8 });
  const update = useEffectEvent((element: HTMLElement) => {
    const rowPx = rowRem * readRemPx();
    const first = Math.floor(element.scrollTop / rowPx);
    const rows = Math.ceil((element.clientHeight || ASSUMED_HEIGHT_PX) / rowPx) + 1;
    if (first !== view.first || rows !== view.rows) setView({ first, rows });
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onChange = () => update(element);
    onChange();
    element.addEventListener('scroll', onChange, { passive: true });
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(onChange);
    observer?.observe(element);
    return () => {
      element.removeEventListener('scroll', onChange);
      observer?.disconnect();
    };
  }, [scroller]);
  return { from: Math.max(0, view.first - OVERSCAN), to: view.first + view.rows + OVERSCAN };
}

const readRemPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
