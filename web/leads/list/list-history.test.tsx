import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { getUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';
import { ada, aLeadItem } from '#web/testing/fixtures.ts';
import { choose, DEFAULT_QUERY, inCard, lastQuery, openList } from '#web/testing/lead-list.tsx';

const path = () => window.location.pathname + window.location.search;
const name = () => screen.getByRole('searchbox', { name: 'Search by name' });
const goBack = async (expected: string) => {
  window.history.back();
  await waitFor(() => expect(path()).toBe(expected));
};

beforeEach(() => window.history.pushState(null, '', '/crm'));

test('a filter, a page and a view are steps that Back undoes', async () => {
  const { server } = await openList([aLeadItem(1)], { total: 30 });
  await choose('UK Town', 'York');
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click(screen.getByRole('tab', { name: 'Table' }));
  await waitFor(() => expect(path()).toBe('/crm?view=table&town=York&page=2'));

  await goBack('/crm?town=York&page=2');
  expect(await screen.findByRole('tab', { name: 'List', selected: true })).toBeVisible();
  await goBack('/crm?town=York');
  await waitFor(() => expect(lastQuery(server)).toMatchObject({ town: 'York', page: '1' }));
  await goBack('/crm');
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'UK Town' })).toHaveValue('all'));
});

test('a name typed with pauses is one step, and a name typed later is another', async () => {
  await openList();
  await userEvent.type(name(), 'bak');
  await waitFor(() => expect(path()).toBe('/crm?q=bak'));
  await userEvent.type(name(), 'ery');
  await waitFor(() => expect(path()).toBe('/crm?q=bakery'));
  await userEvent.tab();
  await userEvent.clear(name());
  await userEvent.type(name(), 'florist{Enter}');
  await waitFor(() => expect(path()).toBe('/crm?q=florist'));

  await goBack('/crm?q=bakery');
  await waitFor(() => expect(name()).toHaveValue('bakery'));
  await goBack('/crm');
  await waitFor(() => expect(name()).toHaveValue(''));
});

test('the stored state replaces the entry of a link to the list', async () => {
  const { unmount } = await openList();
  await choose('UK Town', 'York');
  await waitFor(() => expect(path()).toBe('/crm?town=York'));
  unmount();

  window.history.pushState(null, '', '/business/1');
  window.history.pushState(null, '', '/crm');
  await openList();
  expect(path()).toBe('/crm?town=York');
  await goBack('/business/1');
});

test('a link to the list without filters keeps those in use, and Back undoes what is changed then', async () => {
  const { server } = await openList();
  await choose('UK Town', 'York');
  await waitFor(() => expect(path()).toBe('/crm?town=York'));
  // As the link in the navigation does.
  act(() => window.history.pushState(null, '', '/crm'));
  expect(path()).toBe('/crm?town=York');
  await choose('Lead Status', 'New');
  await waitFor(() => expect(path()).toBe('/crm?status=new&town=York'));

  await goBack('/crm?town=York');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, town: 'York' }));
  expect(screen.getByRole('combobox', { name: 'UK Town' })).toHaveValue('York');
  expect(getUserItem(ada.id, 'list')).toBe('town=York');
});

test('an invalid parameter is removed from the URL', async () => {
  window.history.pushState(null, '', '/crm?town=York&status=nonsense');
  await openList();
  expect(path()).toBe('/crm?town=York');
});

test('after the visit to a lead, its link has the focus', async () => {
  setUserItem(ada.id, 'last-viewed', { uuid: aLeadItem(2).userBusiness.uuid, scroll: 0 });
  await openList();
  await waitFor(() => expect(inCard('Shop 2').getByRole('link', { name: 'Shop 2' })).toHaveFocus());
});
