import { useState } from 'react';
import { tryStorage } from '#web/kit/storage/storage.ts';

export interface Selection<Id> {
  ids: ReadonlySet<Id>;
  /** How many of the visible rows are selected. */
  state: 'none' | 'some' | 'all';
  toggle: (id: Id) => void;
  /** Selects these rows besides the others. */
  add: (more: readonly Id[]) => void;
  /** Selects these rows instead of the others. */
  replace: (rows: readonly Id[]) => void;
  /** Selects every visible row, or clears the selection if all of them are selected. */
  toggleAll: () => void;
  clear: () => void;
}

const NONE: ReadonlySet<never> = new Set<never>();
const PREFIX = 'highstreet.selection.';

/**
 * The selected rows of a list. A new `scope` (another query or page) clears the selection, and a row that is no longer
 * visible leaves it: a bulk action never reaches a row the user cannot see. `visibleIds` is undefined while the rows are
 * loading. With `storeAs`, a name for the tab's storage, the selection survives a visit to another screen.
 */
export function useSelection<Id extends number | string>(
  scope: string,
  visibleIds: readonly Id[] | undefined,
  storeAs?: string,
): Selection<Id> {
  const [selected, setSelected] = useState<{ scope: string; ids: ReadonlySet<Id> }>(() => ({
    scope,
    ids: storeAs ? readIds<Id>(storeAs, scope) : NONE,
  }));
  const select = (ids: ReadonlySet<Id>) => {
    setSelected({ scope, ids });
    if (storeAs) tryStorage(() => sessionStorage.setItem(PREFIX + storeAs, JSON.stringify({ scope, ids: [...ids] })));
  };

  const visible = new Set(visibleIds);
  const inScope = selected.scope === scope ? selected.ids : NONE;
  const ids =
    !visibleIds || [...inScope].every((id) => visible.has(id))
      ? inScope
      : new Set([...inScope].filter((id) => visible.has(id)));
  // Stored rather than derived: a row that becomes visible again must not come back selected.
  if (selected.scope !== scope || ids !== selected.ids) select(ids);

  const all = visible.size > 0 && ids.size === visible.size;
  return {
    ids,
    state: all ? 'all' : ids.size > 0 ? 'some' : 'none',
    toggle: (id) => select(ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id])),
    add: (more) => select(new Set([...ids, ...more.filter((id) => visible.has(id))])),
    replace: (rows) => select(new Set(rows)),
    toggleAll: () => select(all ? NONE : visible),
    clear: () => select(NONE),
  };
}

function readIds<Id>(storeAs: string, scope: string): ReadonlySet<Id> {
  const stored: unknown = tryStorage(() => JSON.parse(sessionStorage.getItem(PREFIX + storeAs) ?? 'null'));
  if (typeof stored !== 'object' || stored === null || !('scope' in stored) || !('ids' in stored)) return NONE;
  // Ids that are no visible rows leave the selection at once, whatever was stored.
  return stored.scope === scope && Array.isArray(stored.ids) ? new Set<Id>(stored.ids) : NONE;
}
