import { type PointerEvent as ReactPointerEvent, useState } from 'react';

/** Rows that are dragged by a handle into another order. Each row has the attribute `data-field` with its id. */
export function useDragOrder(ids: number[], onOrder: (ids: number[]) => void) {
  const [dragged, setDragged] = useState<{ id: number; order: number[] }>();

  /** To be called when a pointer goes down on the handle of a row. Escape puts it back. */
  const start = (down: ReactPointerEvent, id: number) => {
    if (down.button !== 0) return;
    down.preventDefault();
    const ended = new AbortController();
    let order = ids;
    setDragged({ id, order });
    const end = () => {
      ended.abort();
      setDragged(undefined);
    };
    const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(type, listener, { signal: ended.signal });
    on('pointermove', ({ clientX, clientY }) => {
      const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-field]');
      const target = order.indexOf(Number(row?.dataset.field));
      if (target < 0 || order[target] === id) return;
      const others = order.filter((each) => each !== id);
      order = [...others.slice(0, target), id, ...others.slice(target)];
      setDragged({ id, order });
    });
    on('pointerup', () => {
      end();
      if (order.some((each, nth) => each !== ids[nth])) onOrder(order);
    });
    on('pointercancel', end);
    on('keydown', ({ key }) => key === 'Escape' && end());
  };

  return { order: dragged?.order ?? ids, draggedId: dragged?.id, start };
}
