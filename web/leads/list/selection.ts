import { useState } from 'react';
import type { LeadItem } from '#contract/leads/lead.ts';

export interface Selection {
  ids: ReadonlySet<number>;
  toggle: (id: number) => void;
  /** All of these, or none of them if all are selected already. */
  toggleAll: (ids: number[]) => void;
  clear: () => void;
}

/**
 * Which of the shown leads are ticked. Another page or filter starts without ticks, and a lead that is no longer shown
 * loses its own: a bulk action never reaches what the person cannot see.
 */
export function useSelection(query: string, shown: LeadItem[]): Selection {
  const [selected, setSelected] = useState<{ query: string; ids: ReadonlySet<number> }>({ query, ids: NONE });
  const put = (ids: ReadonlySet<number>) => setSelected({ query, ids });

  const visible = new Set(shown.map(({ userBusiness }) => userBusiness.id));
  const ids = selected.query === query ? selected.ids : NONE;
  const kept = [...ids].every((id) => visible.has(id)) ? ids : new Set([...ids].filter((id) => visible.has(id)));
  // Stored, not only left out: what comes into view again comes without its old tick.
  if (selected.query !== query || kept !== selected.ids) put(kept);

  return {
    ids: kept,
    toggle: (id) => put(kept.has(id) ? new Set([...kept].filter((each) => each !== id)) : new Set([...kept, id])),
    toggleAll: (all) =>
      put(
        all.every((id) => kept.has(id))
          ? new Set([...kept].filter((id) => !all.includes(id)))
          : new Set([...kept, ...all]),
      ),
    clear: () => put(NONE),
  };
}

const NONE: ReadonlySet<number> = new Set();
