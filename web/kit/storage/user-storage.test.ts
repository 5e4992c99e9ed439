import { expect, test, vi } from 'vitest';
import { clearUserItems, getUserItem, removeUserItem, setUserItem } from './user-storage.ts';

test('each user has their own items', () => {
  setUserItem(1, 'list', { page: 3 });
  setUserItem(2, 'list', { page: 4 });
  expect(getUserItem(1, 'list')).toEqual({ page: 3 });
  expect(getUserItem(2, 'list')).toEqual({ page: 4 });
  expect(getUserItem(1, 'map')).toBeNull();

  removeUserItem(1, 'list');
  expect(getUserItem(1, 'list')).toBeNull();
  expect(getUserItem(2, 'list')).toEqual({ page: 4 });
});

test('logging out clears the items of all users and nothing else in the storage', () => {
  localStorage.setItem('highstreet.theme', 'dark');
  setUserItem(1, 'list', 'page=3');
  setUserItem(12, 'list', 'page=4');

  clearUserItems();

  expect(Object.keys(localStorage)).toEqual(['highstreet.theme']);
});

test('malformed items and missing storage read as null', () => {
  localStorage.setItem('highstreet.remembered.1.list', '{"page":');
  expect(getUserItem(1, 'list')).toBeNull();

  vi.stubGlobal('localStorage', undefined);
  setUserItem(1, 'list', 'page=3');
  expect(getUserItem(1, 'list')).toBeNull();
  clearUserItems();
  vi.unstubAllGlobals();
});
