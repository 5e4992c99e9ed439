import { z } from 'zod';
import { objectionFact } from '../contact-rules/objection.ts';
import { line, moment } from '../fields.ts';
import { leadStatus } from '../leads/lead.ts';
import { DEFAULT_RADIUS_METRES, MAX_RADIUS_METRES } from './radius.ts';

export const searchMethod = z.enum(['textSearch', 'nearbySearch', 'findPlace']);
export type SearchMethod = z.infer<typeof searchMethod>;

export const SEARCH_METHOD_LABEL: Record<SearchMethod, string> = {
  textSearch: 'Text Search',
  nearbySearch: 'Nearby Search',
  findPlace: 'Find Place',
};

/** What each method does, in one line. */
export const SEARCH_METHOD_HINT: Record<SearchMethod, string> = {
  textSearch: 'All that match the words in and around the place, best matches first.',
  nearbySearch: 'All of a type within the radius, nearest first.',
  findPlace: 'One business by its name.',
};

export const sortBy = z.enum(['relevance', 'distance', 'rating', 'prominence']);
export type SortBy = z.infer<typeof sortBy>;

export const SORT_BY_LABEL: Record<SortBy, string> = {
  relevance: 'Relevance',
  distance: 'Distance',
  rating: 'Rating',
  prominence: 'Prominence',
};

const required = (message: string, name: string) => z.string(message).trim().min(1, message).pipe(line(200, name));
const priceLevel = z.number().int().min(0).max(4);

/** The submitted search state. A null field counts as omitted. */
export const searchRequest = z
  .object({
    businessType: required('Business type is required', 'Business type'),
    location: required('Location is required', 'Location'),
    searchMethod: searchMethod.default('textSearch'),
    page: z.number().int().min(1).max(1_000).default(1),
    pageSize: z.number().int().min(5).max(100).default(20),
    nextPageToken: z.string().max(4_000).nullish(),
    radius: z.number().min(1).max(MAX_RADIUS_METRES).default(DEFAULT_RADIUS_METRES),
    minPrice: priceLevel.nullish(),
    maxPrice: priceLevel.nullish(),
    openNow: z.boolean().nullish(),
    keyword: line(200, 'Keyword').nullish(),
    sortBy: sortBy.default('relevance'),
    maxResults: z.number().int().min(1).max(100).default(20),
  })
  .refine(({ minPrice, maxPrice }) => (minPrice ?? 0) <= (maxPrice ?? 4), {
    path: ['minPrice'],
    error: 'Minimum price must not be above maximum price',
  });
export type SearchRequest = z.output<typeof searchRequest>;

/** A lead on a found business that the viewer may see. */
const foundLead = z.strictObject({
  id: z.number(),
  uuid: z.uuid(),
  status: leadStatus,
  archived: z.boolean(),
  existingCustomer: z.boolean(),
  assignedAt: moment,
  mine: z.boolean(),
  holder: z.strictObject({ id: z.number(), username: z.string(), fullName: z.string() }),
});
export type FoundLead = z.infer<typeof foundLead>;

const businessResult = z.strictObject({
  id: z.number(),
  placeId: z.string(),
  name: z.string(),
  businessStatus: z.string().nullable(),
  openNow: z.boolean().nullable(),
  priceLevel: z.number().nullable(),
  rating: z.number().nullable(),
  userRatingsTotal: z.number().nullable(),
  formattedAddress: z.string().nullable(),
  vicinity: z.string().nullable(),
  phone: z.string().nullable(),
  /** A contact found that the phone is not the business's. */
  phoneIsWrong: z.boolean(),
  /** Those that stand, on its number and on itself. */
  objections: z.array(objectionFact),
  internationalPhone: z.string().nullable(),
  ownerName: z.string().nullable(),
  website: z.string().nullable(),
  googleMapsUrl: z.string().nullable(),
  types: z.array(z.string()),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  icon: z.string().nullable(),
  photoReferences: z.array(z.string()),
  /** From the centre of the searched location; null where either position is unknown. */
  distanceMetres: z.number().nullable(),
  /** Whether any user holds it. */
  alreadyLead: z.boolean(),
  existingCustomer: z.boolean(),
  /** The leads on it that the viewer may see: their own, or all for managers and admins. */
  leads: z.array(foundLead),
});
export type BusinessResult = z.infer<typeof businessResult>;

const attribution = z.strictObject({ text: z.string(), url: z.string().optional() });

export const placesProvider = z.enum(['google', 'google-legacy', 'osm', 'local']);
export type PlacesProviderId = z.infer<typeof placesProvider>;

export const PROVIDER_LABEL: Record<PlacesProviderId, string> = {
  local: "This installation's own places",
  google: 'Google Places',
  'google-legacy': 'Google Places (legacy)',
  osm: 'OpenStreetMap',
};

export const searchResponse = z.strictObject({
  businesses: z.array(businessResult),
  page: z.number(),
  pageSize: z.number(),
  totalPages: z.number(),
  totalCount: z.number(),
  nextPageToken: z.string().nullable(),
  provider: placesProvider,
  /** Whether the built-in sample of invented businesses was searched. */
  sample: z.boolean(),
  /** Required by the source to be shown with its data. */
  attributions: z.array(attribution),
  /** Sentences for the user: what was not possible or was done differently. */
  notices: z.array(z.string()),
});
export type SearchResponse = z.infer<typeof searchResponse>;

/** A notice of every provider that stopped at `maxResults`. */
export const MORE_MATCH = 'More businesses match than were asked for: raise Max results to see them.';

const MAX_EXPORTED = 500;

/** The search state that clients also send is ignored: the selected places are exported. */
export const exportRequest = z.object({
  format: z.literal('csv', 'The format must be csv'),
  placeIds: z
    .array(z.string().min(1).max(500), 'Please select at least one business to export.')
    .min(1, 'Please select at least one business to export.')
    .max(MAX_EXPORTED, `At most ${MAX_EXPORTED} businesses can be exported at once`),
});
