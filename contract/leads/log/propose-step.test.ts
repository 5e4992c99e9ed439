import { describe, expect, test } from 'vitest';
import { type ActivityOutcome, activityOutcome, DEFAULT_OUTCOMES } from './outcomes.ts';
import { countUnanswered, proposeStep } from './propose-step.ts';

const TUESDAY_MORNING = '2026-11-17T09:00:00Z';
const TUESDAY_AFTERNOON = '2026-11-17T14:30:00Z';
const FRIDAY_MORNING = '2026-11-20T09:00:00Z';

const propose = (outcome: ActivityOutcome, now: string, { unanswered = 0, rules = DEFAULT_OUTCOMES } = {}) =>
  proposeStep(outcome, {
    rules,
    unanswered,
    now: new Date(now),
    timeZone: 'Europe/London',
    region: 'england-and-wales',
  });

test.each<[ActivityOutcome, string, string | undefined]>([
  ['no_answer', TUESDAY_MORNING, '2026-11-18T16:00:00.000Z'],
  ['no_answer', TUESDAY_AFTERNOON, '2026-11-18T10:00:00.000Z'],
  ['no_answer', FRIDAY_MORNING, '2026-11-23T16:00:00.000Z'],
  ['left_message', TUESDAY_MORNING, '2026-11-19T10:00:00.000Z'],
  ['left_message', FRIDAY_MORNING, '2026-11-24T10:00:00.000Z'],
  ['spoke', TUESDAY_MORNING, '2026-12-01T10:00:00.000Z'],
  ['call_back', TUESDAY_MORNING, undefined],
  ['not_interested', TUESDAY_MORNING, undefined],
  ['wrong_number', TUESDAY_MORNING, '2026-11-17T16:00:00.000Z'],
  ['interested', FRIDAY_MORNING, '2026-11-24T10:00:00.000Z'],
  ['owner_away', TUESDAY_MORNING, '2026-11-20T16:00:00.000Z'],
  ['owner_away', TUESDAY_AFTERNOON, '2026-11-20T10:00:00.000Z'],
  ['met_owner', TUESDAY_MORNING, '2026-11-19T10:00:00.000Z'],
  ['shut', FRIDAY_MORNING, '2026-11-23T10:00:00.000Z'],
  ['own_call_1', FRIDAY_MORNING, '2026-11-24T10:00:00.000Z'],
])('%s at %s proposes %s', (outcome, now, at) => {
  expect(propose(outcome, now)?.at).toBe(at);
});

test('three in a row without an answer: a week later, and no sooner', () => {
  expect(propose('no_answer', TUESDAY_MORNING, { unanswered: 1 })?.at).toBe('2026-11-18T16:00:00.000Z');
  expect(propose('no_answer', TUESDAY_MORNING, { unanswered: 2 })?.at).toBe('2026-11-24T16:00:00.000Z');
  expect(propose('no_answer', TUESDAY_MORNING, { unanswered: 7 })?.at).toBe('2026-11-24T16:00:00.000Z');
});

test('three in a row without an answer are not sooner than a team that waits longer says', () => {
  const { no_answer } = DEFAULT_OUTCOMES;
  const waiting = (days: number, counted: 'working' | 'calendar') => ({
    unanswered: 2,
    rules: { ...DEFAULT_OUTCOMES, no_answer: { ...no_answer, next: { days, counted } } },
  });
  expect(propose('no_answer', TUESDAY_MORNING, waiting(10, 'calendar'))?.at).toBe('2026-11-27T16:00:00.000Z');
  expect(propose('no_answer', TUESDAY_MORNING, waiting(6, 'working'))?.at).toBe('2026-11-25T16:00:00.000Z');
  expect(propose('no_answer', TUESDAY_MORNING, waiting(0, 'calendar'))?.at).toBe('2026-11-24T16:00:00.000Z');
});

test('a step for the same day waits an hour at least, and stays on that day', () => {
  expect(propose('wrong_number', '2026-11-17T17:20:00Z')?.at).toBe('2026-11-17T18:00:00.000Z');
  expect(propose('wrong_number', '2026-11-17T23:20:00Z')?.at).toBe('2026-11-17T23:00:00.000Z');
  expect(propose('wrong_number', TUESDAY_MORNING)).toMatchObject({ type: 'note', note: 'Find the number' });
});

test('days of the calendar that end on a day off move to the next working day', () => {
  const rules = {
    ...DEFAULT_OUTCOMES,
    spoke: { ...DEFAULT_OUTCOMES.spoke, next: { days: 38, counted: 'calendar' as const } },
  };
  // December 25 to 28: Christmas, Boxing Day on a Saturday, Sunday, and the substitute day.
  expect(propose('spoke', TUESDAY_MORNING, { rules })?.at).toBe('2026-12-29T10:00:00.000Z');
});

describe.each(activityOutcome.options)('%s', (outcome) => {
  test('a team that proposes nothing plans nothing', () => {
    const rules = { ...DEFAULT_OUTCOMES, [outcome]: { ...DEFAULT_OUTCOMES[outcome], next: null } };
    expect(propose(outcome, TUESDAY_MORNING, { rules })).toBeUndefined();
  });
});

test('contacts without an answer are counted from the newest', () => {
  const of = (...outcomes: (string | null)[]) => countUnanswered(outcomes.map((outcome) => ({ outcome })));
  expect(of()).toBe(0);
  expect(of('no_answer', 'no_answer', 'spoke', 'no_answer')).toBe(2);
  expect(of(null, 'no_answer')).toBe(0);
});
