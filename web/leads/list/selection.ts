import { useState } from 'react';

/** The server takes no more at once. */
export const MOST_SELECTED = 500;

export interface Selection {
  ids: ReadonlySet<number>;
  toggle: (id: number) => void;
  /** All of these, or none of them if all are selected already. */
  toggleAll: (ids: number[]) => void;
  clear: () => void;
}

/** What is ticked, on every page of what is being looked at. Looking at something else starts anew. */
export function useSelection(about: string): Selection {
  const [selected, setSelected] = useState<{ about: string; ids: ReadonlySet<number> }>({ about, ids: new Set() });
  const ids = selected.about === about ? selected.ids : NONE;
  const put = (next: ReadonlySet<number>) => setSelected({ about, ids: next });

  return {
    ids,
    toggle: (id) => put(ids.has(id) ? new Set([...ids].filter((each) => each !== id)) : new Set([...ids, id])),
    toggleAll: (all) =>
      put(
        all.every((id) => ids.has(id))
          ? new Set([...ids].filter((id) => !all.includes(id)))
          : new Set([...ids, ...all]),
      ),
    clear: () => put(NONE),
  };
}

const NONE: ReadonlySet<number> = new Set();
