import type { LeadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import type { Move } from './board.data.ts';

interface Column {
  status: LeadStatus;
  /** By their place in the column. */
  loaded: Map<number, ListedLead>;
  count: number;
}

/** The rows of a column with moves that are not saved and loaded yet: what came is first, what left is gone. */
export function placeRows({ status, loaded, count }: Column, pending: Move[]) {
  const movedIds = new Set(pending.map(({ item }) => item.userBusiness.id));
  const arrived = pending.filter(({ to }) => to === status).map(({ item }) => item);
  const left = [...loaded].flatMap(([place, item]) => (movedIds.has(item.userBusiness.id) ? [place] : []));
  left.sort((a, b) => a - b);
  return {
    count: arrived.length + count - left.length,
    /** Undefined while it is not loaded. */
    itemAt: (row: number): ListedLead | undefined => {
      if (row < arrived.length) return arrived[row];
      let place = row - arrived.length;
      for (const gap of left) if (gap <= place) place += 1;
      return loaded.get(place);
    },
  };
}
