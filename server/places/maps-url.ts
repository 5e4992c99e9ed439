/** A search on Google Maps, for sources that have no page of their own there. */
export const mapsSearchUrl = (name: string, address: string | null) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent([name, address].filter(Boolean).join(', '))}`;
