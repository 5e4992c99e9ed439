export interface Place {
  latitude: number;
  longitude: number;
}

export interface Frame {
  centre: [latitude: number, longitude: number];
  zoom: number;
}

/** About the middle of the USA. */
const NOWHERE: Frame = { centre: [39.8283, -98.5795], zoom: 4 };
const CLOSEST = 13;

/** The zoom for places that lie further apart than so many degrees. */
const ZOOMS: [degrees: number, zoom: number][] = [
  [20, 4],
  [10, 5],
  [5, 6],
  [1, 8],
  [0.5, 9],
  [0.1, 11],
  [0.05, 12],
];

/** The part of the world to show so that these places are seen. */
export function frameOf(places: readonly Place[]): Frame {
  if (places.length === 0) return NOWHERE;
  const latitudes = statsOf(places.map(({ latitude }) => latitude));
  const longitudes = statsOf(places.map(({ longitude }) => longitude));
  const span = Math.max(latitudes.span, longitudes.span);
  const zoom = ZOOMS.find(([degrees]) => span > degrees)?.[1] ?? CLOSEST;
  return { centre: [latitudes.average, longitudes.average], zoom };
}

// A loop, because there may be too many places to hand to Math.max all at once.
function statsOf(values: number[]) {
  let [least, most, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
    sum += value;
  }
  return { span: most - least, average: sum / values.length };
}
