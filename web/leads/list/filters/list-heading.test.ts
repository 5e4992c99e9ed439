import { expect, test } from 'vitest';
import { DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { DEFAULT_STATE, type ListState } from '#web/leads/list/list-state.ts';
import { describeReportList } from './list-heading.ts';

const OCTOBER = { assignedFrom: '2026-10-01', assignedTo: '2026-10-31' };
const describeList = (state: Partial<ListState>, holder?: string) =>
  describeReportList(
    { ...DEFAULT_STATE, ...state },
    { outcomes: DEFAULT_OUTCOMES, fields: [], team: undefined, holder },
  );

test.each<[Partial<ListState>, string | undefined, string]>([
  [
    { step: 'won', ...OCTOBER, source: 'search' },
    'Priya Shah',
    'Won: leads assigned in October 2026 to Priya Shah, from search',
  ],
  [
    { step: 'reached', assignedFrom: '2026-11-01', assignedTo: '2026-11-19', types: ['Bakery'], district: 'LS1' },
    undefined,
    'Reached: leads assigned Nov 1, 2026 to Nov 19, 2026, Bakery, in LS1',
  ],
  [
    { step: 'lost', outcome: 'no_answer', ...OCTOBER, tags: ['hot'] },
    'you',
    'Lost, No answer: leads assigned in October 2026 to you, tagged hot',
  ],
  [
    { step: 'assigned', ...OCTOBER, hasType: 'false' },
    undefined,
    'Assigned: leads assigned in October 2026, without type',
  ],
  [{ step: 'won', origin: 'file:a.csv' }, undefined, 'Won: leads of the team, source: File: a.csv'],
  [{ attention: 'overdue' }, 'you', 'Overdue: your leads'],
  [{ attention: 'loose' }, 'Priya Shah', 'No next step: leads of Priya Shah'],
])('%o of %s is "%s"', (state, holder, sentence) => {
  expect(describeList(state, holder)).toBe(sentence);
});

test('a list that no report opened has no such sentence', () => {
  expect(describeList({ types: ['Bakery'], ...OCTOBER }, 'you')).toBeUndefined();
});
