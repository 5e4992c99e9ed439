import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import type { Proposal, ShownProposedChange } from '#contract/proposals/proposal.ts';
import { decideProposal, listProposals } from '#contract/proposals/proposals.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { ProposalsScreen } from './ProposalsScreen.tsx';

beforeEach(() => window.history.replaceState(null, '', '/proposals'));

const UUID = '00000000-0000-4000-8000-000000000001';
const change = (id: number, given: Partial<ShownProposedChange> = {}): ShownProposedChange => ({
  ...{ id, label: 'Status', before: 'New', after: 'In Progress', state: 'open', problem: null },
  ...given,
});
const aProposal = (changes: ShownProposedChange[], given: Partial<Proposal> = {}): Proposal => ({
  id: UUID,
  program: 'Claude',
  reason: 'They answered today.',
  createdAt: '2026-03-04T12:00:00.000Z',
  expiresAt: '2026-03-11T12:00:00.000Z',
  state: 'open',
  decidedAt: null,
  leads: [{ uuid: UUID, name: 'Blue Door Bakery', changes }],
  ...given,
});

const TAG = change(2, { label: 'Tag', before: null, after: 'hot' });
const CONFLICT = change(3, { state: 'conflict', problem: 'Changed since it was proposed: status' });

async function openProposals(proposals: Proposal[]) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(listProposals, proposals);
  const view = show(<ProposalsScreen />, { as: ada });
  await screen.findByText(/^\d proposals? to decide$/);
  return { server, ...view };
}

const decided = (proposal: Proposal, states: ShownProposedChange['state'][]): Proposal => ({
  ...proposal,
  state: 'decided',
  decidedAt: '2026-03-05T12:00:00.000Z',
  leads: proposal.leads.map((lead) => ({
    ...lead,
    changes: lead.changes.map((each, index) => ({ ...each, state: states[index] ?? 'declined' })),
  })),
});
const answer = (proposal: Proposal, message: string, accepted: number) => ({
  message,
  accepted,
  conflicts: 0,
  proposal,
});

test('a proposal says who proposes what and why, before and after for each lead', async () => {
  await openProposals([aProposal([change(1), TAG, CONFLICT])]);
  const item = within(screen.getByRole('listitem', { name: 'Claude proposes 3 changes' }));
  expect(item.getByText('“They answered today.”')).toBeVisible();
  expect(item.getByRole('link', { name: 'Blue Door Bakery' })).toHaveAttribute('href', `/business/uuid/${UUID}`);
  expect(item.getAllByText(/^(Status|Tag):/).map((label) => label.closest('p')?.textContent)).toEqual([
    'Status: before New → , after In Progress',
    'Tag: hot',
    'Status: before New → , after In Progress',
  ]);
  expect(item.getByText('Changed since it was proposed: status')).toBeVisible();
  // What is in conflict cannot be chosen.
  expect(item.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'))).toEqual([
    'Blue Door Bakery: Status, In Progress',
    'Blue Door Bakery: Tag, hot',
  ]);
});

test('all is accepted, and undone from the message', async () => {
  const proposal = aProposal([change(1), TAG, CONFLICT]);
  const { server, toasts, lastUndo } = await openProposals([proposal]);
  const after = decided(proposal, ['accepted', 'accepted', 'declined']);
  server.responds(decideProposal, answer(after, '2 changes made', 2), { [BATCH_HEADER]: UUID });
  server.responds(listProposals, [after]);
  server.responds(undoChanges, { message: '1 taken back', takenBack: 1, deleted: 0, left: [], creditsKept: 0 });
  await userEvent.click(screen.getByRole('button', { name: 'Accept all' }));
  await waitFor(() => expect(toasts).toEqual(['2 changes made']));
  expect(server.requests.find(({ path }) => path.endsWith('/decision'))?.body).toEqual({ accept: [1, 2] });
  expect(screen.getByText('0 proposals to decide')).toHaveFocus();
  expect(screen.getByText('Nothing to decide')).toBeVisible();
  lastUndo()?.();
  await waitFor(() => expect(toasts.at(-1)).toContain('1 taken back'));
});

test('some are accepted, and the others declined', async () => {
  const proposal = aProposal([change(1), TAG]);
  const { server, toasts } = await openProposals([proposal]);
  const after = decided(proposal, ['declined', 'accepted']);
  server.responds(decideProposal, answer(after, '1 change made', 1));
  server.responds(listProposals, [after]);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Blue Door Bakery: Status, In Progress' }));
  expect(screen.getByText('The others are declined.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Accept 1 of 2' }));
  await waitFor(() => expect(toasts).toEqual(['1 change made']));
  expect(server.requests.find(({ path }) => path.endsWith('/decision'))?.body).toEqual({ accept: [2] });
  const closed = within(screen.getByRole('region', { name: 'Decided and expired' }));
  expect(closed.getByText('1 accepted')).toBeVisible();
  expect(closed.getAllByText(/^(Accepted|Declined)$/).map(({ textContent }) => textContent)).toEqual([
    'Declined',
    'Accepted',
  ]);
});

test('none is accepted; with nothing chosen there is only this', async () => {
  const proposal = aProposal([change(1)]);
  const { server, toasts } = await openProposals([proposal]);
  const after = decided(proposal, ['declined']);
  server.responds(decideProposal, answer(after, 'Proposal declined', 0));
  server.responds(listProposals, [after]);
  await userEvent.click(screen.getByRole('checkbox'));
  expect(screen.getByRole('button', { name: 'Accept 0 of 1' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Decline all' }));
  await waitFor(() => expect(toasts).toEqual(['Proposal declined']));
  expect(server.requests.find(({ path }) => path.endsWith('/decision'))?.body).toEqual({ accept: [] });
});

test('a decision that is refused leaves the choice, and says why', async () => {
  const { server, toasts } = await openProposals([aProposal([change(1), TAG])]);
  server.refuses(decideProposal, 'proposal_closed', 'This proposal has expired');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Blue Door Bakery: Tag, hot' }));
  await userEvent.click(screen.getByRole('button', { name: 'Accept 1 of 2' }));
  await waitFor(() => expect(toasts).toEqual(['The proposal was not decided | 409: This proposal has expired']));
  expect(screen.getByRole('checkbox', { name: 'Blue Door Bakery: Tag, hot' })).not.toBeChecked();
});

test('expired ones are listed apart; without any it says where they come from', async () => {
  await openProposals([aProposal([change(1)], { state: 'expired' })]);
  expect(screen.getByText('Expired')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Accept all' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Your account' })).toHaveAttribute('href', '/account#programs');
});

test('a list that cannot be read offers to try again', async () => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.refuses(listProposals, 'internal', 'Broken');
  show(<ProposalsScreen />, { as: ada });
  expect(await screen.findByText('Proposals could not be loaded')).toBeVisible();
  server.responds(listProposals, []);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('Nothing to decide')).toBeVisible();
});
