import { beforeEach, expect, test, vi } from 'vitest';
import {
  dropDraft,
  dropDrafts,
  hasDrafts,
  keepDraft,
  keepOnlyDraftsOf,
  lockDrafts,
  openDrafts,
  readDraft,
} from './drafts.ts';

const draft = { text: 'Half a thought', version: 3 };
const SECRET = btoa('x'.repeat(32));
const OTHER_SECRET = btoa('y'.repeat(32));
const NAME = 'highstreet.draft.7.lead';

/** What a reload leaves: the storage of the tab, and nothing in memory. */
async function afterReload() {
  vi.resetModules();
  return import('./drafts.ts');
}
const stored = (name = NAME) => sessionStorage.getItem(name);

beforeEach(async () => {
  dropDrafts();
  await openDrafts(7, SECRET);
});

test('a draft survives a reload, sealed, in the storage of this tab alone', async () => {
  keepDraft(7, 'lead', draft);
  await vi.waitFor(() => expect(stored()).toBeTruthy());
  expect(stored()).not.toContain('Half');
  expect(Object.keys(localStorage)).toEqual([]);

  const { openDrafts: open, readDraft: read } = await afterReload();
  expect(read(7, 'lead')).toBeUndefined();
  await open(7, SECRET);
  expect(read(7, 'lead')).toEqual(draft);
});

test('with another key it is nothing, and goes', async () => {
  keepDraft(7, 'lead', draft);
  await vi.waitFor(() => expect(stored()).toBeTruthy());
  const { openDrafts: open, readDraft: read } = await afterReload();
  await open(7, OTHER_SECRET);
  expect(read(7, 'lead')).toBeUndefined();
  expect(stored()).toBeNull();
});

test('the type chosen for it comes back with it', async () => {
  keepDraft(7, 'lead', { ...draft, type: 'meeting' });
  await vi.waitFor(() => expect(stored()).toBeTruthy());
  const { openDrafts: open, readDraft: read } = await afterReload();
  await open(7, SECRET);
  expect(read(7, 'lead')).toEqual({ ...draft, type: 'meeting' });
});

test('of two quick changes the last is kept, and a dropped one does not come back', async () => {
  keepDraft(7, 'lead', draft);
  keepDraft(7, 'lead', { ...draft, text: 'A whole thought' });
  keepDraft(7, 'other', draft);
  dropDraft(7, 'other');
  await vi.waitFor(() => expect(stored()).toBeTruthy());
  const { openDrafts: open, readDraft: read } = await afterReload();
  await open(7, SECRET);
  expect(read(7, 'lead')?.text).toBe('A whole thought');
  expect(read(7, 'other')).toBeUndefined();
});

test('a draft is of one person and about one thing', () => {
  keepDraft(7, 'lead', draft);
  expect(readDraft(77, 'lead')).toBeUndefined();
  expect(readDraft(7, 'other')).toBeUndefined();
  dropDraft(7, 'lead');
  expect(readDraft(7, 'lead')).toBeUndefined();
  expect(hasDrafts(7)).toBe(false);
});

test('the next person finds only what is theirs', async () => {
  keepDraft(7, 'lead', draft);
  keepDraft(77, 'lead', draft);
  await vi.waitFor(() => expect(stored('highstreet.draft.77.lead')).toBeTruthy());
  keepOnlyDraftsOf(7);
  expect(readDraft(7, 'lead')).toEqual(draft);
  expect(readDraft(77, 'lead')).toBeUndefined();
  expect(stored('highstreet.draft.77.lead')).toBeNull();
});

test('locked drafts leave memory, and their author gets them back', async () => {
  keepDraft(7, 'lead', draft);
  keepDraft(77, 'lead', draft);
  await vi.waitFor(() => expect(stored()).toBeTruthy());
  lockDrafts();
  expect(readDraft(7, 'lead')).toBeUndefined();
  expect(readDraft(77, 'lead')).toBeUndefined();
  expect(stored()).not.toContain('Half');

  await openDrafts(77, OTHER_SECRET);
  expect(readDraft(7, 'lead')).toBeUndefined();
  await openDrafts(7, SECRET);
  expect(readDraft(7, 'lead')).toEqual(draft);
});

test('those of one user stay open while the others are locked', () => {
  keepDraft(7, 'lead', draft);
  keepDraft(77, 'lead', draft);
  lockDrafts({ except: 7 });
  expect(readDraft(7, 'lead')).toEqual(draft);
  expect(readDraft(77, 'lead')).toBeUndefined();
});

test('logging out asks about and drops the drafts of that user only', () => {
  keepDraft(77, 'lead', draft);
  expect(hasDrafts(7)).toBe(false);
  dropDrafts(7);
  expect(readDraft(77, 'lead')).toEqual(draft);
  dropDrafts(77);
  expect(readDraft(77, 'lead')).toBeUndefined();
});

test('all of them can be dropped, those from before a reload included', async () => {
  keepDraft(7, 'lead', draft);
  await vi.waitFor(() => expect(stored()).toBeTruthy());
  const { dropDrafts: drop, hasDrafts: has } = await afterReload();
  expect(has(7)).toBe(true);
  drop();
  expect(has(7)).toBe(false);
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test.each(['', 'null', '.', 'a.b', '{"text":"x","version":2}'])('%j in storage is no draft', async (found) => {
  sessionStorage.setItem(NAME, found);
  await openDrafts(7, SECRET);
  expect(readDraft(7, 'lead')).toBeUndefined();
});

test('where storage is forbidden, a draft lasts as long as the page', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  keepDraft(7, 'lead', draft);
  expect(readDraft(7, 'lead')).toEqual(draft);
});
