import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { searchBusinesses, usersToAssign } from '#contract/search/search.calls.ts';
import type { BusinessResult, SearchResponse } from '#contract/search/search.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { SearchScreen } from '#web/search/SearchScreen.tsx';
import { ada, fakeServer, show } from './fake-server.tsx';

export const bob: OwnUser = { ...ada, id: 2, username: 'bob', fullName: 'Bob Cratchit', role: 'user' };

export const aResult = (id: number, result: Partial<BusinessResult> = {}): BusinessResult => ({
  id,
  placeId: `place-${id}`,
  name: `Shop ${id}`,
  businessStatus: 'OPERATIONAL',
  openNow: null,
  priceLevel: null,
  rating: null,
  userRatingsTotal: null,
  formattedAddress: `${id} High Street, Leeds LS1 4AP, UK`,
  vicinity: null,
  phone: null,
  internationalPhone: null,
  ownerName: null,
  website: null,
  googleMapsUrl: null,
  types: [],
  latitude: null,
  longitude: null,
  icon: null,
  photoReferences: [],
  distanceMetres: null,
  alreadyLead: false,
  existingCustomer: false,
  leads: [],
  ...result,
});

export const aSearchResponse = (
  businesses: BusinessResult[],
  response: Partial<SearchResponse> = {},
): SearchResponse => ({
  businesses,
  page: 1,
  pageSize: 20,
  totalPages: 1,
  totalCount: businesses.length,
  nextPageToken: null,
  provider: 'local',
  sample: false,
  attributions: [],
  notices: [],
  ...response,
});

export const aLeadOn = (id: number, lead: Partial<BusinessResult['leads'][number]> = {}) => ({
  id,
  uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  status: 'new' as const,
  archived: false,
  existingCustomer: false,
  assignedAt: '2026-03-04T12:00:00.000Z',
  mine: false,
  holder: { id: 2, username: 'bob', fullName: 'Bob Cratchit' },
  ...lead,
});

/** The lead that a successful assignment answers with. */
export const assignedLead = (id: number) => ({
  id,
  uuid: aLeadOn(id).uuid,
  userId: 2,
  businessId: id,
  status: 'new' as const,
  viewed: false,
  archived: false,
  archivedAt: null,
  existingCustomer: false,
  existingCustomerAt: null,
  assignedAt: '2026-03-04T12:00:00.000Z',
  lastContactedAt: null,
  notes: '',
  notesVersion: 0,
  tags: [],
  customFields: {},
  createdAt: '2026-03-04T12:00:00.000Z',
  updatedAt: '2026-03-04T12:00:00.000Z',
});

/** The search screen before anything is typed. What it says, by itself or after a call, is in `said`. */
export function open({ as = ada, found = aSearchResponse([]) }: { as?: OwnUser; found?: SearchResponse } = {}) {
  const server = fakeServer();
  server.responds(searchBusinesses, found);
  server.responds(
    usersToAssign,
    [ada, bob].map(({ id, fullName, username }) => ({ id, fullName, username })),
  );
  server.responds(assignBusiness, assignedLead(1));
  const before = pageToasts.current()?.id;
  const shown = show(<SearchScreen />, { as });
  const said = () => {
    const own = pageToasts.current();
    const words = own && own.id !== before ? [[own.title, own.description].filter(Boolean).join(' | ')] : [];
    return [...shown.toasts, ...words];
  };
  return { ...shown, server, said, sent: () => server.last(searchBusinesses)?.body };
}

export const field = (name: string) => screen.getByRole('combobox', { name });
export const searchButton = () => screen.getByRole('button', { name: 'Search' });
export const list = () => screen.getByRole('list', { name: 'Businesses' });
export const card = (name: string) => screen.getByRole('article', { name });
export const box = (name: string) => screen.getByRole('checkbox', { name });
export const names = () =>
  within(list())
    .getAllByRole('heading')
    .map(({ textContent }) => textContent);

export async function fill(businessType = 'bakery', location = 'Leeds') {
  await userEvent.type(field('Business Type'), businessType);
  await userEvent.type(field('Location'), location);
}

/** Searches, and waits until there is something to see. */
export async function search(options: Parameters<typeof open>[0] = {}) {
  const opened = open(options);
  await fill();
  await userEvent.click(searchButton());
  await screen.findByText(/found\)|No Results Found/);
  return opened;
}
