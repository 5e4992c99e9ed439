import { beforeEach, expect, test, vi } from 'vitest';
import {
  areDraftsUnlocked,
  deleteDraft,
  deleteDrafts,
  deleteDraftsOfOthers,
  hasDrafts,
  hasUnstoredDraft,
  lockDrafts,
  readDraft,
  saveDraft,
  unlockDrafts,
} from './drafts.ts';

const draft = { text: 'Half a thought', version: 3 };
const SECRET = btoa('x'.repeat(32));
const OTHER_SECRET = btoa('y'.repeat(32));
const STORAGE_KEY = 'highstreet.draft.7.lead';

/** Simulates a reload: session storage stays, memory is empty. */
async function afterReload() {
  vi.resetModules();
  return import('./drafts.ts');
}
const readStored = (storageKey = STORAGE_KEY) => sessionStorage.getItem(storageKey);

beforeEach(async () => {
  deleteDrafts();
  await unlockDrafts(7, SECRET);
});

test('a draft survives a reload, encrypted, in the storage of this tab alone', async () => {
  saveDraft(7, 'lead', draft);
  await vi.waitFor(() => expect(readStored()).toBeTruthy());
  expect(readStored()).not.toContain('Half');
  expect(Object.keys(localStorage)).toEqual([]);

  const { unlockDrafts: unlock, readDraft: read } = await afterReload();
  expect(read(7, 'lead')).toBeUndefined();
  await unlock(7, SECRET);
  expect(read(7, 'lead')).toEqual(draft);
});

test('a draft encrypted with another key is deleted', async () => {
  saveDraft(7, 'lead', draft);
  await vi.waitFor(() => expect(readStored()).toBeTruthy());
  const { unlockDrafts: unlock, readDraft: read } = await afterReload();
  await unlock(7, OTHER_SECRET);
  expect(read(7, 'lead')).toBeUndefined();
  expect(readStored()).toBeNull();
});

test('the chosen type, and what the text means, are stored with it', async () => {
  saveDraft(7, 'lead', { ...draft, type: 'meeting', value: '["1"]' });
  await vi.waitFor(() => expect(readStored()).toBeTruthy());
  const { unlockDrafts: unlock, readDraft: read } = await afterReload();
  await unlock(7, SECRET);
  expect(read(7, 'lead')).toEqual({ ...draft, type: 'meeting', value: '["1"]' });
});

test('the last of two quick changes is stored, and a deleted draft does not come back', async () => {
  saveDraft(7, 'lead', draft);
  saveDraft(7, 'lead', { ...draft, text: 'A whole thought' });
  saveDraft(7, 'other', draft);
  deleteDraft(7, 'other');
  await vi.waitFor(() => expect(readStored()).toBeTruthy());
  const { unlockDrafts: unlock, readDraft: read } = await afterReload();
  await unlock(7, SECRET);
  expect(read(7, 'lead')?.text).toBe('A whole thought');
  expect(read(7, 'other')).toBeUndefined();
});

test('a draft belongs to one user and one key', () => {
  saveDraft(7, 'lead', draft);
  expect(readDraft(77, 'lead')).toBeUndefined();
  expect(readDraft(7, 'other')).toBeUndefined();
  deleteDraft(7, 'lead');
  expect(readDraft(7, 'lead')).toBeUndefined();
  expect(hasDrafts(7)).toBe(false);
});

test('after a sign-in only the drafts of that user remain', async () => {
  saveDraft(7, 'lead', draft);
  saveDraft(77, 'lead', draft);
  await vi.waitFor(() => expect(readStored('highstreet.draft.77.lead')).toBeTruthy());
  deleteDraftsOfOthers(7);
  expect(readDraft(7, 'lead')).toEqual(draft);
  expect(readDraft(77, 'lead')).toBeUndefined();
  expect(readStored('highstreet.draft.77.lead')).toBeNull();
});

test('locked drafts leave memory, and their author can unlock them', async () => {
  saveDraft(7, 'lead', draft);
  saveDraft(77, 'lead', draft);
  await vi.waitFor(() => expect(readStored()).toBeTruthy());
  lockDrafts();
  expect(readDraft(7, 'lead')).toBeUndefined();
  expect(readDraft(77, 'lead')).toBeUndefined();
  expect(readStored()).not.toContain('Half');

  await unlockDrafts(77, OTHER_SECRET);
  expect(readDraft(7, 'lead')).toBeUndefined();
  await unlockDrafts(7, SECRET);
  expect(readDraft(7, 'lead')).toEqual(draft);
});

test('locking can except one user', () => {
  saveDraft(7, 'lead', draft);
  saveDraft(77, 'lead', draft);
  lockDrafts({ except: 7 });
  expect(readDraft(7, 'lead')).toEqual(draft);
  expect(readDraft(77, 'lead')).toBeUndefined();
});

test('hasDrafts and deleteDrafts act on one user only', () => {
  saveDraft(77, 'lead', draft);
  expect(hasDrafts(7)).toBe(false);
  deleteDrafts(7);
  expect(readDraft(77, 'lead')).toEqual(draft);
  deleteDrafts(77);
  expect(readDraft(77, 'lead')).toBeUndefined();
});

test('all drafts can be deleted, those from before a reload included', async () => {
  saveDraft(7, 'lead', draft);
  await vi.waitFor(() => expect(readStored()).toBeTruthy());
  const { deleteDrafts: deleteAll, hasDrafts: has } = await afterReload();
  expect(has(7)).toBe(true);
  deleteAll();
  expect(has(7)).toBe(false);
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test.each(['', 'null', '.', 'a.b', '{"text":"x","version":2}'])(
  '%j in storage is not read as a draft',
  async (stored) => {
    sessionStorage.setItem(STORAGE_KEY, stored);
    await unlockDrafts(7, SECRET);
    expect(readDraft(7, 'lead')).toBeUndefined();
  },
);

test('where storage is forbidden, a draft lasts as long as the page', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  saveDraft(7, 'lead', draft);
  expect(readDraft(7, 'lead')).toEqual(draft);
});

test('drafts stay unlocked for one user and secret, until they are locked', async () => {
  expect(areDraftsUnlocked(7, SECRET)).toBe(true);
  expect(areDraftsUnlocked(8, SECRET)).toBe(false);
  expect(areDraftsUnlocked(7, OTHER_SECRET)).toBe(false);
  lockDrafts({ except: 7 });
  expect(areDraftsUnlocked(7, SECRET)).toBe(false);
});

test('a very long text is stored, and one that does not fit says so', async () => {
  const long = { text: 'é'.repeat(300_000), version: 0 };
  saveDraft(7, 'lead', long);
  await vi.waitFor(() => expect(readStored()).toBeTruthy());
  expect(hasUnstoredDraft(7, 'lead')).toBe(false);
  const { unlockDrafts: unlock, readDraft: read } = await afterReload();
  await unlock(7, SECRET);
  expect(read(7, 'lead')).toEqual(long);

  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  saveDraft(7, 'lead', draft);
  await vi.waitFor(() => expect(hasUnstoredDraft(7, 'lead')).toBe(true));
  deleteDraft(7, 'lead');
  expect(hasUnstoredDraft(7, 'lead')).toBe(false);
});
