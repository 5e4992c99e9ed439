import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { listUsersToAssign, searchBusinesses } from '#contract/search/search.calls.ts';
import type { SearchResponse } from '#contract/search/search.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { SearchScreen } from '#web/search/SearchScreen.tsx';
import { fakeServer } from './fake-server.ts';
import { ada, aLead, aSearchResponse, bob } from './fixtures.ts';
import { show } from './show.tsx';

/** The search screen before anything is typed. What it says, by itself or after a call, is in `said`. */
export function open({ as = ada, found = aSearchResponse([]) }: { as?: OwnUser; found?: SearchResponse } = {}) {
  const server = fakeServer();
  server.responds(searchBusinesses, found);
  server.responds(
    listUsersToAssign,
    [ada, bob].map(({ id, fullName, username }) => ({ id, fullName, username })),
  );
  server.responds(assignBusiness, aLead(1, { viewed: false }));
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
