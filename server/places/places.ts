import type { Point } from '#contract/geo.ts';
import type { PlacesProviderId, SearchMethod, SortBy } from '#contract/search/search.ts';
import type { CallContext } from './providers/provider-http.ts';

/** A search as providers get it. `centre` is null where the location was not found. */
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
  /** Of the whole search, not of a page. */
  maxResults: number;
  /** Where each page is paid: no more are requested. */
  maxPages?: number;
}

export interface Place {
  placeId: string;
  name: string;
  formattedAddress: string | null;
  vicinity: string | null;
  /** Null where the source has none: it is then parsed from the address. */
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

interface Attribution {
  text: string;
  url?: string;
}

/** All results of a search, best first, at most `maxResults`. */
export interface FoundPlaces {
  places: Place[];
  attributions: Attribution[];
  notices: string[];
  sample: boolean;
}

/** What searches with a provider cost. */
export interface SearchCost {
  /** Whether each call is paid. */
  paid: boolean;
  /** The most calls of one search, without repeats after a fault. */
  callsPerSearch: number;
  /** About. */
  secondsPerSearch: number;
  /** The most calls in 24 hours that a public service asks for. */
  callsPerDay: number | null;
}

export interface PlacesProvider {
  id: PlacesProviderId;
  cost: SearchCost;
  /** Whether responses are cached. */
  cacheable: boolean;
  /** Throws before any request is made, such as without a key. */
  requireReady(): void;
  /** Geocodes a location that is neither in the built-in list nor a known postcode. */
  locate(location: string, signal: AbortSignal): Promise<Point | null>;
  search(query: PlacesQuery, context: CallContext): Promise<FoundPlaces>;
}

/** A search on Google Maps, for sources without links to it. */
export const mapsSearchUrl = (name: string, address: string | null) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent([name, address].filter(Boolean).join(', '))}`;
