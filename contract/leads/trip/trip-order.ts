import { milesBetween, type Point } from '#contract/geo.ts';

/** Below this an exchange is a rounding error, and exchanging for it might never end. */
const MIN_GAIN_MILES = 1e-9;

/** The length of each leg of a round trip: to the first stop, from stop to stop, and back to the start. */
export function legMiles(start: Point, stops: readonly Point[]): number[] {
  if (stops.length === 0) return [];
  const trip = [start, ...stops, start];
  return trip.slice(1).map((to, index) => milesBetween(trip[index] ?? start, to));
}

/**
 * The stops in the order of a short trip: nearest neighbour, improved by 2-opt. It ends where it starts, unless the user is
 * on the way and orders what is left from elsewhere.
 */
export function orderStops<Stop extends Point>(start: Point, stops: readonly Stop[], end: Point = start): Stop[] {
  return improveByTwoOpt(orderByNearestNeighbour(start, stops), start, end);
}

/** From each stop to the nearest one that is left. */
export function orderByNearestNeighbour<Stop extends Point>(start: Point, stops: readonly Stop[]): Stop[] {
  const left = [...stops];
  const order: Stop[] = [];
  let from: Point = start;
  while (left.length > 0) {
    const distances = left.map((stop) => milesBetween(from, stop));
    const nearest = distances.indexOf(Math.min(...distances));
    const [next] = left.splice(Math.max(0, nearest), 1);
    if (!next) break;
    order.push(next);
    from = next;
  }
  return order;
}

/** Reverses a part of the trip as long as that shortens it: this removes every crossing. */
function improveByTwoOpt<Stop extends Point>(stops: readonly Stop[], start: Point, end: Point): Stop[] {
  const order = [...stops];
  const at = (index: number): Point => order[index] ?? (index < 0 ? start : end);
  const gain = (first: number, last: number) =>
    milesBetween(at(first - 1), at(first)) +
    milesBetween(at(last), at(last + 1)) -
    milesBetween(at(first - 1), at(last)) -
    milesBetween(at(first), at(last + 1));

  for (let improved = true; improved; ) {
    improved = false;
    for (let first = 0; first < order.length - 1; first += 1) {
      for (let last = first + 1; last < order.length; last += 1) {
        if (gain(first, last) <= MIN_GAIN_MILES) continue;
        order.splice(first, last - first + 1, ...order.slice(first, last + 1).reverse());
        improved = true;
      }
    }
  }
  return order;
}
