export const MAX_ZOOM = 19;

export interface Tiles {
  /** A template with {z}, {x} and {y}, or a .pmtiles file. */
  url: string;
  attribution: string;
  /** Whether the last request for tiles succeeded. */
  onTiles: (working: boolean) => void;
}

/** Leaflet takes the attribution as HTML; settings and files have text. */
export function escapeHtml(text: string) {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}
