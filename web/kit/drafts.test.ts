import { beforeEach, expect, test, vi } from 'vitest';
import { dropDraft, dropDrafts, hasDrafts, keepDraft, keepOnlyDraftsOf, readDraft } from './drafts.ts';

const draft = { text: 'Half a thought', version: 3 };

/** What a reload leaves: the storage of the tab, and nothing in memory. */
async function afterReload() {
  vi.resetModules();
  return import('./drafts.ts');
}

beforeEach(dropDrafts);

test('a draft survives a reload, in the storage of this tab alone', async () => {
  keepDraft(7, 'lead', draft);
  expect((await afterReload()).readDraft(7, 'lead')).toEqual(draft);
  expect(Object.keys(localStorage)).toEqual([]);
});

test('a draft is of one person and about one thing', () => {
  keepDraft(7, 'lead', draft);
  expect(readDraft(77, 'lead')).toBeUndefined();
  expect(readDraft(7, 'other')).toBeUndefined();
  dropDraft(7, 'lead');
  expect(readDraft(7, 'lead')).toBeUndefined();
  expect(hasDrafts()).toBe(false);
});

test('the next person finds only what is theirs', async () => {
  keepDraft(7, 'lead', draft);
  keepDraft(77, 'lead', draft);
  keepOnlyDraftsOf(7);
  const { readDraft: read } = await afterReload();
  expect(read(7, 'lead')).toEqual(draft);
  expect(read(77, 'lead')).toBeUndefined();
});

test('all of them can be dropped, those from before a reload included', async () => {
  keepDraft(7, 'lead', draft);
  const { dropDrafts: drop, hasDrafts: has } = await afterReload();
  expect(has()).toBe(true);
  drop();
  expect(has()).toBe(false);
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test.each(['', 'null', '{', '{"text":1,"version":2}', '{"text":"x"}', '[]'])('%j in storage is no draft', (stored) => {
  sessionStorage.setItem('highstreet.draft.7.lead', stored);
  expect(readDraft(7, 'lead')).toBeUndefined();
});

test('where storage is forbidden, a draft lasts as long as the page', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  keepDraft(7, 'lead', draft);
  expect(readDraft(7, 'lead')).toEqual(draft);
});
