/** A search on a map outside, for a business that may have no coordinates. */
export function mapsSearch(name: string, address: string | null): string {
  const query = encodeURIComponent([name, address].filter(Boolean).join(', '));
  return `https://www.google.com/maps/search/?api=1&query=${query}`;
}
