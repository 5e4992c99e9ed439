import { expect, test } from 'vitest';
import { type PushedNotification, toPushKind, toPushMessage } from './push-message.ts';
import { isWorkingTime } from './working-hours.ts';

const due: PushedNotification = {
  id: 7,
  kind: 'follow_up_due',
  title: 'Follow-up due: Blue Door Bakery',
  message: 'Call at 15:00: Ask for Sam',
  path: '/business/uuid/1',
};

test('a message names nobody, unless its user allows it', () => {
  const rest = { path: '/business/uuid/1', tag: 'highstreet-7' };
  expect(toPushMessage([due], false)).toEqual({ title: 'Highstreet', body: 'A follow-up is due', ...rest });
  expect(toPushMessage([due], true)).toEqual({ title: due.title, body: due.message, ...rest });
});

test('several are one message, which counts them and opens Today', () => {
  const comment = { ...due, kind: 'lead_comment' } as const;
  expect(toPushMessage([due, comment, { ...due, id: 8 }], true)).toEqual({
    title: 'Highstreet',
    body: '2 follow-ups due, 1 comment',
    path: '/today',
    tag: 'highstreet-several',
  });
});

test('a long text is cut, without cutting a character', () => {
  const { body } = toPushMessage([{ ...due, message: '👍'.repeat(400) }], true);
  expect([...body]).toHaveLength(300);
  expect(body.endsWith('👍…')).toBe(true);
});

test('leads that are taken away, proposals and problems do not ring', () => {
  expect(toPushKind('lead_reassigned_to')).toBe('lead_assigned');
  expect(['lead_reassigned_from', 'proposal', 'system_problem'].map((type) => toPushKind(type as never))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  ['2026-11-19T08:00:00.000Z', true],
  ['2026-11-19T07:59:00.000Z', false],
  ['2026-11-19T17:59:00.000Z', true],
  ['2026-11-19T18:00:00.000Z', false],
  ['2026-11-21T12:00:00.000Z', false], // a Saturday
  ['2026-12-25T12:00:00.000Z', false],
  ['2026-07-01T07:00:00.000Z', true], // in summer time
])('%s is in working time: %s', (now, expected) => {
  expect(isWorkingTime(new Date(now), 'Europe/London', 'england-and-wales')).toBe(expected);
});
