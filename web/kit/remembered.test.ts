import { expect, test, vi } from 'vitest';
import { forget, forgetRemembered, recall, remember } from './remembered.ts';

test('each person has their own memory of a screen', () => {
  remember(1, 'list', { page: 3 });
  remember(2, 'list', { page: 4 });
  expect(recall(1, 'list')).toEqual({ page: 3 });
  expect(recall(2, 'list')).toEqual({ page: 4 });
  expect(recall(1, 'map')).toBeNull();

  forget(1, 'list');
  expect(recall(1, 'list')).toBeNull();
  expect(recall(2, 'list')).toEqual({ page: 4 });
});

test('logging out ends all of it, and nothing else in the storage', () => {
  localStorage.setItem('highstreet.theme', 'dark');
  remember(1, 'list', 'page=3');
  remember(12, 'list', 'page=4');

  forgetRemembered();

  expect(Object.keys(localStorage)).toEqual(['highstreet.theme']);
});

test('what is not ours in the storage, and no storage at all, is as if nothing had been remembered', () => {
  localStorage.setItem('highstreet.remembered.1.list', '{"page":');
  expect(recall(1, 'list')).toBeNull();

  vi.stubGlobal('localStorage', undefined);
  remember(1, 'list', 'page=3');
  expect(recall(1, 'list')).toBeNull();
  forgetRemembered();
  vi.unstubAllGlobals();
});
