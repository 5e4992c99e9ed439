import type { SearchMethod, SortBy } from '#contract/search/search.ts';

export interface Point {
  latitude: number;
  longitude: number;
}

/** A search in a provider's terms: the location has been found before, where it can be found. */
export interface PlacesQuery {
  businessType: string;
  location: string;
  method: SearchMethod;
  centre: Point | null;
  radiusMetres: number;
  keyword: string | null;
  openNow: boolean;
  minPrice: number | null;
  maxPrice: number | null;
  sortBy: SortBy;
  /** The most results of the whole search. */
  maxResults: number;
}

export interface Place {
  placeId: string;
  name: string;
  formattedAddress: string | null;
  vicinity: string | null;
  /** Where the source says it; else it is read from the address. */
  town: string | null;
  phone: string | null;
  internationalPhone: string | null;
  website: string | null;
  googleMapsUrl: string | null;
  rating: number | null;
  userRatingsTotal: number | null;
  priceLevel: number | null;
  businessStatus: string | null;
  openNow: boolean | null;
  types: string[];
  latitude: number | null;
  longitude: number | null;
  icon: string | null;
  photoReferences: string[];
  ownerName: string | null;
}

export interface Attribution {
  text: string;
  url?: string;
}

/** Everything one search found, best first, at most `maxResults`. */
export interface Found {
  places: Place[];
  attributions: Attribution[];
  notices: string[];
  sample: boolean;
}

export interface PlacesProvider {
  id: 'google' | 'google-legacy' | 'osm' | 'local';
  /** Whether an identical search within half an hour is answered from memory. */
  remembered: boolean;
  /** Refuses before anything is asked or looked up, such as without a key. */
  requireReady(): void;
  /** Where a location is that neither the built-in list nor the postcodes know. */
  locate(location: string, signal: AbortSignal): Promise<Point | null>;
  search(query: PlacesQuery, signal: AbortSignal): Promise<Found>;
}

export const MORE_MATCH = 'More businesses match than were asked for: raise Max results to see them.';
