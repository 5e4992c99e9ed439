import { expect, test } from 'vitest';
import { DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { OPEN_STATUSES } from '#contract/reports/pipeline.calls.ts';
import { DEFAULT_STATE, type ListState } from '#web/leads/list/list-state.ts';
import { describeReportList } from './list-heading.ts';

const OCTOBER = { assignedFrom: '2026-10-01', assignedTo: '2026-10-31' };
const PRIYA = { id: 7, fullName: 'Priya Shah', username: 'priya' };
const BOB = { id: 8, fullName: '', username: 'bob' };
const TEAM = { user: 'all' } as const;
/** As a manager lists the team, or as users list their own leads. */
const describeList = (state: Partial<ListState>) =>
  describeReportList(
    { ...DEFAULT_STATE, ...state },
    {
      ...{ outcomes: DEFAULT_OUTCOMES, fields: [], team: undefined, users: [PRIYA, BOB] },
      listsEveryone: state.user !== undefined,
    },
  );

test.each<[Partial<ListState>, string]>([
  [
    { step: 'won', ...OCTOBER, source: 'search', user: 7 },
    'Won: leads assigned in October 2026 to Priya Shah, from search',
  ],
  [
    {
      step: 'reached',
      assignedFrom: '2026-11-01',
      assignedTo: '2026-11-19',
      types: ['Bakery'],
      district: 'LS1',
      ...TEAM,
    },
    'Reached: leads assigned Nov 1, 2026 to Nov 19, 2026, Bakery, in LS1',
  ],
  [
    { step: 'lost', outcome: 'no_answer', ...OCTOBER, tags: ['hot'] },
    'Lost, No answer: leads assigned in October 2026 to you, tagged hot',
  ],
  [
    { step: 'assigned', ...OCTOBER, hasType: 'false', ...TEAM },
    'Assigned: leads assigned in October 2026, without type',
  ],
  [{ step: 'won', origin: 'file:a.csv', ...TEAM }, 'Won: leads of the team, source: File: a.csv'],
  [{ attention: 'overdue' }, 'Overdue: your leads'],
  [{ attention: 'loose', user: 7 }, 'No next step: leads of Priya Shah'],
  [{ statusOn: '2026-10-25:proposal:7', ...TEAM }, 'Proposal on Oct 25, 2026: leads of Priya Shah'],
  [{ statusOn: '2026-10-25:open', ...TEAM, tags: ['hot'] }, 'Open on Oct 25, 2026: leads of the team, tagged hot'],
  [{ statusOn: '2026-10-25:new' }, 'New on Oct 25, 2026: your leads'],
  [
    { statusOn: '2026-10-25:open:7', user: 8, status: ['closed_won'] },
    'Open on Oct 25, 2026: leads of Priya Shah, now Closed (Won), now of bob',
  ],
  [{ status: ['proposal'], user: 7 }, 'Proposal: leads of Priya Shah'],
  [{ status: ['new', 'recontact'] }, 'New or Recontact: your leads'],
  [{ status: [...OPEN_STATUSES], ...TEAM }, 'Open: leads of the team'],
  [{ step: 'lost', status: ['closed_lost'], ...TEAM }, 'Lost: leads of the team, Closed (Lost)'],
])('%o is "%s"', (state, sentence) => {
  expect(describeList(state)).toBe(sentence);
});

test('a list that no report opened has no such sentence', () => {
  expect(describeList({ types: ['Bakery'], ...OCTOBER })).toBeUndefined();
});
