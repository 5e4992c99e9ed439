import { expect, test } from 'vitest';
import {
  addToDraft,
  applyDraft,
  formatDraft,
  invertChanges,
  isCurrent,
  listChanges,
  listMoves,
  NO_DRAFT,
  parseDraft,
  removeFromDraft,
} from './territory-draft.ts';

const aTerritory = (userId: number, ...districts: string[]) => ({
  ...{ userId, fullName: `User ${userId}`, username: `user${userId}`, active: true },
  districts,
});
const TERRITORIES = [aTerritory(1, 'LS1', 'LS2', 'LS10'), aTerritory(2, 'LS2'), aTerritory(3)];

test('added districts are taken from the others, or become overlaps', () => {
  const districts = ['LS2', 'LS3'];
  const taken = addToDraft(TERRITORIES, NO_DRAFT, { userId: 3, districts, others: 'lose' });
  expect(applyDraft(TERRITORIES, taken).map((each) => each.districts)).toEqual([['LS1', 'LS10'], [], ['LS2', 'LS3']]);
  expect(listChanges(TERRITORIES, taken)).toEqual([
    { userId: 1, add: [], remove: ['LS2'] },
    { userId: 2, add: [], remove: ['LS2'] },
    { userId: 3, add: ['LS2', 'LS3'], remove: [] },
  ]);
  const shared = addToDraft(TERRITORIES, NO_DRAFT, { userId: 3, districts, others: 'keep' });
  expect(listChanges(TERRITORIES, shared)).toEqual([{ userId: 3, add: ['LS2', 'LS3'], remove: [] }]);
});

test('what is added and removed again is no change', () => {
  const added = addToDraft(TERRITORIES, NO_DRAFT, { userId: 3, districts: ['YO1'], others: 'lose' });
  const removed = removeFromDraft(TERRITORIES, added, { userId: 3, districts: ['YO1', 'LS1'] });
  expect(listChanges(TERRITORIES, removed)).toEqual([]);
});

test('what another admin adds or removes meanwhile stays', () => {
  const added = addToDraft(TERRITORIES, NO_DRAFT, { userId: 1, districts: ['YO1'], others: 'lose' });
  const draft = parseDraft(formatDraft(removeFromDraft(TERRITORIES, added, { userId: 1, districts: ['LS2', 'LS11'] })));
  const meanwhile = [aTerritory(1, 'LS1', 'LS2', 'LS11'), aTerritory(2, 'LS2'), aTerritory(3, 'LS10')];
  expect(listChanges(meanwhile, draft)).toEqual([{ userId: 1, add: ['YO1'], remove: ['LS2'] }]);
  expect(applyDraft(meanwhile, draft)[0]?.districts).toEqual(['LS1', 'LS11', 'YO1']);
});

test('a draft of an earlier version is dropped', () => {
  expect(parseDraft('[{"userId":1,"districts":["LS1"]}]')).toEqual(NO_DRAFT);
});

test('moves are the districts that one user loses and another gets', () => {
  const draft = addToDraft(TERRITORIES, NO_DRAFT, { userId: 3, districts: ['LS1', 'LS2', 'YO1'], others: 'lose' });
  const changes = listChanges(TERRITORIES, removeFromDraft(TERRITORIES, draft, { userId: 1, districts: ['LS10'] }));
  const moves = listMoves(changes);
  expect(moves).toEqual([
    { fromUserId: 1, toUserId: 3, districts: ['LS1', 'LS2'] },
    { fromUserId: 2, toUserId: 3, districts: ['LS2'] },
  ]);
  expect(moves.map((move) => isCurrent(move, applyDraft(TERRITORIES, draft)))).toEqual([true, true]);
  expect(moves.map((move) => isCurrent(move, TERRITORIES))).toEqual([false, false]);
  expect(invertChanges(changes)[0]).toEqual({ userId: 1, add: ['LS1', 'LS2', 'LS10'], remove: [] });
});
