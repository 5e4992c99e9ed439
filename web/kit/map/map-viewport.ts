export interface Point {
  latitude: number;
  longitude: number;
}

export interface Viewport {
  centre: [latitude: number, longitude: number];
  zoom: number;
}

/** About the middle of the USA, where there are no points. */
const DEFAULT_VIEWPORT: Viewport = { centre: [39.8283, -98.5795], zoom: 4 };
const MAX_ZOOM = 13;

/** The zoom for points that are more than so many degrees apart. */
const ZOOM_BY_SPAN: [degrees: number, zoom: number][] = [
  [20, 4],
  [10, 5],
  [5, 6],
  [1, 8],
  [0.5, 9],
  [0.1, 11],
  [0.05, 12],
];

/** The viewport for points that far apart, whatever the size of the map; `framePoints` also shows all of them. */
export function fitViewport(points: readonly Point[]): Viewport {
  if (points.length === 0) return DEFAULT_VIEWPORT;
  const latitudes = measure(points.map(({ latitude }) => latitude));
  const longitudes = measure(points.map(({ longitude }) => longitude));
  const span = Math.max(latitudes.span, longitudes.span);
  const zoom = ZOOM_BY_SPAN.find(([degrees]) => span > degrees)?.[1] ?? MAX_ZOOM;
  return { centre: [latitudes.average, longitudes.average], zoom };
}

/** The zoom buttons, which would cover a popup, and the space around them. */
export const ZOOM_BUTTONS_WIDTH = 64;
/** The space around a popup's content, and between it and the edge of the map. */
const POPUP_MARGIN = 40;

/** The widths of a popup's content, in pixels: beside the zoom buttons on a phone, too. */
export function fitPopup(mapWidth: number): { minWidth: number; maxWidth: number } {
  const maxWidth = Math.max(160, Math.min(300, mapWidth - ZOOM_BUTTONS_WIDTH - POPUP_MARGIN));
  return { minWidth: Math.min(220, maxWidth), maxWidth };
}

// A loop, because Math.max(...values) overflows the stack for very many values.
function measure(values: number[]) {
  let [min, max, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
  }
  return { span: max - min, average: sum / values.length };
}
