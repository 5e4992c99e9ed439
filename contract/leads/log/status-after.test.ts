import { describe, expect, test } from 'vitest';
import { type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import { logContact } from './log.calls.ts';
import { activityOutcome, DEFAULT_OUTCOMES, isFreeOutcome, resetStandardOutcomes } from './outcomes.ts';
import { statusAfter } from './status-after.ts';

/** Where a cell is missing, the status stays. */
const CHANGES: Record<string, Partial<Record<LeadStatus, LeadStatus>>> = {
  'no_answer, nothing planned': {},
  'no_answer, planned': { new: 'recontact' },
  'left_message, nothing planned': {},
  'left_message, planned': { new: 'recontact' },
  'spoke, nothing planned': { new: 'in_progress', recontact: 'in_progress' },
  'spoke, planned': { new: 'in_progress', recontact: 'in_progress' },
  'call_back, planned': {
    new: 'recontact',
    in_progress: 'recontact',
    qualified: 'recontact',
    proposal: 'recontact',
    negotiation: 'recontact',
  },
  'not_interested, nothing planned': {
    new: 'closed_lost',
    in_progress: 'closed_lost',
    recontact: 'closed_lost',
    qualified: 'closed_lost',
    proposal: 'closed_lost',
    negotiation: 'closed_lost',
    closed_won: 'closed_lost',
  },
  'wrong_number, nothing planned': {},
  'wrong_number, planned': {},
  'interested, nothing planned': { new: 'in_progress', recontact: 'in_progress' },
  'interested, planned': { new: 'in_progress', recontact: 'in_progress' },
  'owner_away, nothing planned': {},
  'owner_away, planned': { new: 'recontact' },
  'met_owner, nothing planned': { new: 'in_progress', recontact: 'in_progress' },
  'met_owner, planned': { new: 'in_progress', recontact: 'in_progress' },
  'shut, nothing planned': {},
  'shut, planned': { new: 'recontact' },
  'own_call_1, planned': { new: 'in_progress', recontact: 'in_progress' },
  'own_visit_1, nothing planned': { new: 'in_progress', recontact: 'in_progress' },
};

describe.each(Object.entries(CHANGES))('%s', (name, changes) => {
  const [first, next] = name.split(', ');
  const outcome = activityOutcome.parse(first);
  const { reached } = DEFAULT_OUTCOMES[outcome];
  test.each(leadStatus.options)('%s', (status) => {
    expect(statusAfter(status, { outcome, reached, planned: next === 'planned' })).toBe(changes[status] ?? status);
  });
});

const NEXT = { at: '2026-11-17T10:00:00.000Z' };
const { body } = logContact.byId;

test.each(activityOutcome.options)('%s: whether a next step is required, allowed or refused', (outcome) => {
  expect(body.safeParse({ outcome }).success).toBe(outcome !== 'call_back');
  expect(body.safeParse({ outcome, next: NEXT }).success).toBe(outcome !== 'not_interested');
});

test('a contact is what its outcome is of, without a note, unless the request says otherwise', () => {
  expect(body.parse({ outcome: 'met_owner' })).toEqual({ type: 'meeting', outcome: 'met_owner', note: '' });
  expect(body.parse({ outcome: 'own_visit_2' })).toMatchObject({ type: 'meeting' });
  expect(body.parse({ outcome: 'own_call_4' })).toMatchObject({ type: 'call' });
  expect(body.parse({ outcome: 'spoke', type: 'email' })).toMatchObject({ type: 'email' });
  expect(body.parse({ outcome: 'spoke' })).toEqual({ type: 'call', outcome: 'spoke', note: '' });
});

test('an outcome that the team does not count as reached moves no lead on', () => {
  expect(statusAfter('new', { outcome: 'spoke', reached: false, planned: false })).toBe('new');
  expect(statusAfter('new', { outcome: 'shut', reached: true, planned: false })).toBe('in_progress');
});

describe("an outcome of the team's own", () => {
  const rename = (label: string, offered: boolean) => ({
    ...DEFAULT_OUTCOMES,
    own_call_1: { ...DEFAULT_OUTCOMES.own_call_1, label, offered },
  });

  test('is free until it is named, and stays when it is not shown any more', () => {
    expect(isFreeOutcome('own_call_1', DEFAULT_OUTCOMES)).toBe(true);
    expect(isFreeOutcome('own_call_1', rename('Sent a sample', true))).toBe(false);
    expect(isFreeOutcome('own_call_1', rename('Sent a sample', false))).toBe(false);
    expect(isFreeOutcome('shut', { ...DEFAULT_OUTCOMES, shut: { ...DEFAULT_OUTCOMES.shut, offered: false } })).toBe(
      false,
    );
  });

  test('has no default, so that going back to the defaults leaves it', () => {
    const rules = { ...rename('Sent a sample', true), shut: { ...DEFAULT_OUTCOMES.shut, label: 'Closed today' } };
    expect(resetStandardOutcomes(rules)).toEqual(rename('Sent a sample', true));
  });
});
