import type { QueryClient } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { findDuplicateMatches } from '#contract/duplicates/duplicates.calls.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { listUsersToAssign, searchBusinesses } from '#contract/search/search.calls.ts';
import type { SearchResponse } from '#contract/search/search.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { SearchScreen } from '#web/search/SearchScreen.tsx';
import { fakeServer } from './fake-server.ts';
import { ada, aLead, aSearchResponse, bob } from './fixtures.ts';
import { show } from './show.tsx';

interface Options {
  as?: OwnUser;
  /** The response to every search. */
  response?: SearchResponse;
  /** The cache of an earlier visit. */
  queries?: QueryClient;
}

/** Renders the search screen. `allToasts` has the toasts of its mutations and those it shows itself. */
export function open({ as = ada, response = aSearchResponse([]), queries }: Options = {}) {
  const server = fakeServer();
  server.responds(searchBusinesses, response);
  server.responds(
    listUsersToAssign,
    [ada, bob].map(({ id, fullName, username }) => ({ id, fullName, username })),
  );
  server.responds(findDuplicateMatches, []);
  server.responds(assignBusiness, aLead(1, { viewed: false }));
  const before = pageToasts.current()?.id;
  const view = show(<SearchScreen />, { as, ...(queries && { queries }) });
  const allToasts = () => {
    const own = pageToasts.current();
    if (!own || own.id === before) return view.toasts;
    return [...view.toasts, [own.title, own.description].filter(Boolean).join(' | ')];
  };
  return { ...view, server, allToasts, lastSearch: () => server.last(searchBusinesses)?.body };
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

/** Searches, and waits for the results. */
export async function search(options: Options = {}) {
  const opened = open(options);
  await fill();
  await userEvent.click(searchButton());
  await screen.findByText(/found\)|No Results Found/);
  return opened;
}
