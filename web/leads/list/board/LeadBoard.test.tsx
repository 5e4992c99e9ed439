import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import type { LeadStatus } from '#contract/leads/lead.ts';
import { bulkPlanFollowUp, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { ada, aLead, aLeadItem, aLeadPage, bob } from '#web/testing/fixtures.ts';
import { listServer, showList } from '#web/testing/lead-list.tsx';
import { CARD_ROW_REM } from './BoardCard.tsx';

beforeEach(() => window.history.replaceState(null, '', '/crm?view=board'));

const ROW_PX = CARD_ROW_REM * 16;
const COLUMN: Partial<Record<LeadStatus, number[]>> = { new: [1, 2], in_progress: [3] };

/** A server whose list has the leads of the asked status. */
function boardServer(columns = COLUMN, holder = ada) {
  const server = listServer();
  server.handles(listLeads, ({ path }) => {
    const query = new URL(path, 'http://x').searchParams;
    const status = query.get('status') as LeadStatus | null;
    const ids = status ? (columns[status] ?? []) : [1];
    const page = Number(query.get('page'));
    const items = ids.map((id) => ({
      ...aLeadItem(id, { status: status ?? 'new', userId: holder.id }),
      latestActivity: null,
      match: null,
    }));
    const onPage = status ? items.slice((page - 1) * 20, page * 20) : items;
    return Response.json({ ...aLeadPage(onPage, ids.length), page });
  });
  return server;
}
const column = async (name: string) => within(await screen.findByRole('region', { name }));
const cardNames = async (name: string) =>
  (await column(name)).queryAllByRole('article').map((card) => within(card).getByRole('link').textContent);

async function moveTo(lead: string, status: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Move ${lead} to…` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: status }));
}

test('leads are in columns by status, with counts and without closed ones', async () => {
  boardServer();
  showList();
  await waitFor(async () => expect(await cardNames('New')).toEqual(['Shop 1', 'Shop 2']));
  expect(await cardNames('In Progress')).toEqual(['Shop 3']);
  expect((await column('New')).getByRole('heading', { level: 2 })).toHaveTextContent('New 2 leads');
  expect((await column('Recontact')).getByText('No leads')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Closed (Won)' })).toBeNull();
  expect(screen.getByRole('tab', { name: 'Board' })).toHaveAttribute('aria-selected', 'true');
});

test('a column loads and draws only the cards in view, and keeps the focused one', async () => {
  const server = boardServer({ new: Array.from({ length: 500 }, (_, nth) => nth + 1) });
  showList();
  const list = within(await screen.findByRole('list', { name: 'New leads' }));
  await waitFor(() => expect(list.getAllByRole('article').length).toBeGreaterThan(5));
  const [first] = list.getAllByRole('listitem');
  expect(first).toHaveAttribute('aria-setsize', '500');
  expect(first).toHaveAttribute('aria-posinset', '1');
  screen.getByRole('link', { name: 'Shop 2' }).focus();

  const scroller = screen.getByRole('list', { name: 'New leads' }).parentElement as HTMLElement;
  scroller.scrollTop = 400 * ROW_PX;
  fireEvent.scroll(scroller);
  expect(await list.findByRole('article', { name: 'Shop 401' })).toBeVisible();
  expect(list.queryByRole('article', { name: 'Shop 1' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Shop 2' })).toHaveFocus();
  expect(list.getAllByRole('listitem').length).toBeLessThan(30);
  const pages = () =>
    new Set(
      server.requests.filter(({ path }) => path.includes('status=new')).map(({ path }) => /page=(\d+)/.exec(path)?.[1]),
    );
  expect(pages()).toEqual(new Set(['1', '20', '21']));

  // A jump right after a short way: nothing in between is loaded.
  scroller.scrollTop = 404 * ROW_PX;
  fireEvent.scroll(scroller);
  await new Promise((resolve) => setTimeout(resolve, 75));
  scroller.scrollTop = 104 * ROW_PX;
  fireEvent.scroll(scroller);
  expect(await list.findByRole('article', { name: 'Shop 105' })).toBeVisible();
  expect(pages()).toEqual(new Set(['1', '20', '21', '6']));
});

test('after a move by menu, the next card of the column has the focus', async () => {
  const server = boardServer();
  server.responds(changeLeadStatus.byId, aLead(1, { status: 'in_progress' }));
  showList();
  await moveTo('Shop 1', 'In Progress');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Move Shop 2 to…' })).toHaveFocus());
});

test('the menu of a card moves it at once, announces it, offers dates for Recontact, and can be undone', async () => {
  const server = boardServer();
  server.responds(changeLeadStatus.byId, aLead(1, { status: 'recontact' }), {
    [BATCH_HEADER]: '11111111-1111-4111-8111-111111111111',
  });
  server.responds(bulkPlanFollowUp, { results: { success: 1, failed: 0, errors: [] } });
  const { toasts, lastUndo } = showList();
  await moveTo('Shop 1', 'Recontact');
  expect(server.last(changeLeadStatus.byId)?.body).toEqual({ status: 'recontact' });
  await waitFor(() => expect(toasts).toContain('Status updated'));
  expect(screen.getByText('Shop 1 moved to Recontact')).toBeInTheDocument();
  expect(await screen.findByRole('region', { name: 'Follow-ups' })).toBeVisible();

  server.responds(undoChanges, { message: '1 taken back', takenBack: 1, deleted: 0, left: [], creditsKept: 0 });
  lastUndo()?.();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Follow-ups' })).toBeNull());
});

test('a card shows the town, the phone number and the tags', async () => {
  const server = boardServer();
  const item = aLeadItem(1, { tags: ['hot', 'Imported', 'fair', 'café', 'north'] }, { phone: '0113 496 0000' });
  server.responds(listLeads, aLeadPage([item]));
  showList();
  const [card] = await (await column('New')).findAllByRole('article');
  const shown = within(card as HTMLElement);
  expect(shown.getByText('Leeds')).toBeVisible();
  expect(shown.getByRole('link', { name: '0113 496 0000' })).toHaveAttribute('href', 'tel:01134960000');
  for (const text of ['hot', 'fair', '+2']) expect(shown.getByText(text)).toBeVisible();
  expect(shown.queryByText('Imported')).toBeNull();
});

test('while closed leads are hidden, Won and Lost are where a card can be dropped', async () => {
  boardServer();
  const { unmount } = showList();
  await screen.findByRole('region', { name: 'New' });
  const targets = () => [...document.querySelectorAll('div[data-status]')].map((target) => target.textContent);
  expect(targets()).toEqual(['Drop here for Closed (Won)', 'Drop here for Closed (Lost)']);
  unmount();
  window.history.replaceState(null, '', '/crm?view=board&hideClosed=false');
  showList();
  await screen.findByRole('region', { name: 'Closed (Won)' });
  expect(targets()).toEqual([]);
});

test('a lead can be closed although closed ones have no column', async () => {
  const columns = { new: [1, 2] };
  const server = boardServer(columns);
  server.handles(changeLeadStatus.byId, () => {
    columns.new = [2];
    return Response.json(aLead(1, { status: 'closed_won' }));
  });
  const { toasts } = showList();
  await moveTo('Shop 1', 'Closed (Won)');
  await waitFor(() => expect(toasts).toContain('Status updated'));
  expect(server.last(changeLeadStatus.byId)?.body).toEqual({ status: 'closed_won' });
  await waitFor(async () => expect(await cardNames('New')).toEqual(['Shop 2']));
});

test('a refused move puts the card back', async () => {
  const server = boardServer();
  const held = server.holds(changeLeadStatus.byId);
  const { toasts } = showList();
  await moveTo('Shop 1', 'In Progress');
  await waitFor(async () => expect(await cardNames('In Progress')).toEqual(['Shop 1', 'Shop 3']));
  expect(await cardNames('New')).toEqual(['Shop 2']);
  held.refuse('not_your_lead', 'This business is assigned to another user');
  await waitFor(() => expect(toasts).toHaveLength(1));
  await waitFor(async () => expect(await cardNames('New')).toEqual(['Shop 1', 'Shop 2']));
});

test('leads of others cannot be moved by a manager', async () => {
  window.history.replaceState(null, '', '/crm?view=board&team=true');
  boardServer(COLUMN, bob);
  showList({ as: { ...ada, id: 9, role: 'manager' } });
  expect(await screen.findByRole('link', { name: 'Shop 3' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Move Shop/ })).toBeNull();
});
