import { type RefObject, useRef } from 'react';
import { useCommands } from '#web/commands/commands.ts';
import type { Selection } from '#web/kit/selection.ts';

const LINK = 'a[href^="/business/"]';

interface Options {
  list: RefObject<HTMLElement | null>;
  ids: readonly number[];
  selection: Selection<number>;
  /** Logs a contact with the lead that has the focus; false where the viewer may not. */
  onLog: (id: number) => unknown;
}

/** The keys of a list of leads, for cards, rows and the items of Today: the focus moves along the names of the leads. */
export function useListKeys({ list, ids, selection, onLog }: Options) {
  /** Where a range starts: the lead that was selected last. */
  const anchor = useRef<number>(undefined);

  const findRows = () =>
    [...(list.current?.querySelectorAll('article, tbody tr, [data-lead]') ?? [])].filter((row) =>
      row.querySelector(LINK),
    );
  const findFocused = () => findRows().findIndex((row) => row.contains(document.activeElement));

  /** Returns the position it moved to; false where there is none, or where the key belongs to the focused element. */
  const move = (step: 1 | -1, event?: KeyboardEvent) => {
    const [rows, focused] = [findRows(), findFocused()];
    if (focused < 0 && event?.key.startsWith('Arrow') && !isFocusOnPage()) return false;
    const next = focused < 0 ? 0 : Math.min(Math.max(focused + step, 0), rows.length - 1);
    const link = rows[next]?.querySelector(LINK);
    if (!(link instanceof HTMLElement)) return false;
    link.focus();
    rows[next]?.scrollIntoView?.({ block: 'nearest' });
    return next;
  };
  const select = (from: number, to: number) => {
    selection.add(ids.slice(Math.min(from, to), Math.max(from, to) + 1));
    anchor.current = to;
  };
  const extend = (step: 1 | -1) => {
    const from = findFocused();
    const to = from < 0 ? false : move(step);
    if (to === false) return false;
    select(from, to);
  };

  useCommands({
    nextLead: (event) => move(1, event) !== false,
    previousLead: (event) => move(-1, event) !== false,
    extendDown: () => extend(1),
    extendUp: () => extend(-1),
    openFocusedLead: () => {
      const row = findRows()[findFocused()];
      // A link or a button opens by itself.
      if (!row || !(document.activeElement instanceof HTMLInputElement)) return false;
      row.querySelector<HTMLAnchorElement>(LINK)?.click();
    },
    selectLead: () => {
      const focused = findFocused();
      const id = ids[focused];
      if (id === undefined) return false;
      selection.toggle(id);
      anchor.current = focused;
    },
    logActivity: () => {
      const id = ids[findFocused()];
      return id === undefined ? false : onLog(id);
    },
    selectRange: () => {
      const focused = findFocused();
      if (focused < 0) return false;
      select(Math.min(anchor.current ?? focused, ids.length - 1), focused);
    },
  });
}

/** Whether no control has the focus: some controls use arrow keys themselves. */
const isFocusOnPage = () => document.activeElement?.matches('body, main, h1') ?? true;
