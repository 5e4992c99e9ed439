import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { changeLeadStatus, getAssignmentHistory, getLead, markViewedOnProfile } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { saveDraft } from '#web/kit/storage/drafts.ts';
import { toasts } from '#web/kit/toasts.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { createQueue, storeQueue } from '#web/leads/work-queue/work-queue.ts';
import { enableKeys } from '#web/testing/keyboard.ts';
import {
  anActivity,
  aProfile,
  clearTab,
  lead,
  openProfile,
  otherUser,
  press,
  priya,
  profileServer,
  showLead,
  UUID,
} from '#web/testing/lead-profile.tsx';
import { dismissToast } from '#web/testing/show.tsx';

const countOpenCalls = (server: ReturnType<typeof profileServer>) =>
  server.times(markViewedOnProfile.byId) + server.times(markViewedOnProfile.byUuid);

test('loading is shown until the business is loaded', async () => {
  const server = profileServer();
  const held = server.holds(getLead.byId);
  showLead();
  expect(screen.getByText('Loading business…')).toBeInTheDocument();

  held.respond(aProfile());
  expect(await screen.findByRole('heading', { level: 1, name: 'Blue Door Bakery' })).toBeVisible();
  expect(document.title).toBe('Blue Door Bakery · Highstreet');
  expect(screen.queryByText('Loading business…')).toBeNull();
});

test('a profile has five cards and four tabs', async () => {
  await openProfile();
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Business Information',
    'Lead Status',
    'Next Step',
    'Custom Tags',
    'Quick Actions',
  ]);
  await screen.findByRole('tab', { name: 'Assignment History (0)' });
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Contact Activities (0)',
    'Notes',
    'Assignment History (0)',
    'Timeline',
  ]);
  await press('Back to CRM');
  expect(window.location.pathname).toBe('/crm');
});

test.each([
  { what: 'viewed', given: {}, badges: ['Viewed'] },
  { what: 'not viewed by its holder', given: { viewed: false }, as: otherUser('manager'), badges: ['New'] },
  { what: 'imported', given: { tags: ['Imported', 'hot'] }, badges: ['Viewed', 'Imported'] },
  { what: 'archived', given: { archived: true }, badges: ['Viewed', 'Archived'] },
  { what: 'a customer', given: { existingCustomer: true }, badges: ['Viewed', 'Existing customer'] },
])('badges of a lead that is $what', async ({ given, badges, as }) => {
  await openProfile({ lead: given, as });
  const title = screen.getByRole('heading', { level: 1 });
  expect([...(title.nextElementSibling?.children ?? [])].map(({ textContent }) => textContent)).toEqual(badges);
});

test('a lead opened by uuid is read and changed by uuid', async () => {
  const { server } = await openProfile({ leadRef: { uuid: UUID } });
  server.responds(changeLeadStatus.byUuid, { ...lead, status: 'recontact' });
  await press('Recontact');
  await waitFor(() => expect(server.times(changeLeadStatus.byUuid)).toBe(1));
  expect(server.last(changeLeadStatus.byUuid)?.path).toBe(`/api/business-status-by-uuid/${UUID}`);
  expect(server.times(getAssignmentHistory.byUuid)).toBe(1);
});

test.each([
  { who: 'its holder', as: priya, marks: true },
  { who: 'an admin', as: otherUser('admin'), marks: true },
  { who: 'a manager', as: otherUser('manager'), marks: false },
])('opened by $who, a lead is marked as viewed: $marks', async ({ as, marks }) => {
  const { server, toasts } = await openProfile({ as, lead: { viewed: false } });
  if (marks) expect(await screen.findByText('Viewed')).toBeVisible();
  else await screen.findByRole('tab', { name: 'Assignment History (0)' });
  expect(countOpenCalls(server)).toBe(marks ? 1 : 0);
  expect(toasts).toEqual([]);
});

test('a viewed lead is not marked again', async () => {
  const { server } = await openProfile();
  expect(countOpenCalls(server)).toBe(0);
});

test('marking as viewed is attempted once for each visit, and a failure is not reported', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  clearTab();
  const server = profileServer({ lead: { viewed: false } });
  // Until the failure arrives, the lead is shown as viewed.
  server.handles(markViewedOnProfile.byId, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return Response.json({ code: 'internal', message: 'Something went wrong' }, { status: 500 });
  });
  const { toasts, unmount } = showLead();
  await waitFor(() => expect(server.times(getLead.byId)).toBeGreaterThan(1));
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(countOpenCalls(server)).toBe(1);
  expect(toasts).toEqual([]);

  unmount();
  showLead();
  await waitFor(() => expect(countOpenCalls(server)).toBe(2));
});

test.each([
  ['not_your_lead', 'This lead is assigned to another user'],
  ['not_found', 'You have no permission to see this lead'],
] as const)("another user's lead says whom to ask: %s", async (code, message) => {
  clearTab();
  const server = profileServer();
  server.refuses(getLead.byId, code, message);
  showLead(otherUser('user'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Customer Assigned to Another User' })).toBeVisible();
  expect(screen.getByText(/ask the current holder or an admin for reassignment/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to CRM Dashboard' })).toHaveAttribute('href', '/crm');
  expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull();
});

test('any other failure shows its message and can be retried', async () => {
  clearTab();
  const server = profileServer();
  server.refuses(getLead.byId, 'not_found', 'This lead no longer exists');
  showLead();
  expect(await screen.findByRole('heading', { level: 1, name: 'Unable to Load Customer' })).toBeVisible();
  expect(screen.getByText('404: This lead no longer exists')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to CRM Dashboard' })).toHaveAttribute('href', '/crm');

  server.responds(getLead.byId, aProfile());
  await press('Try Again');
  expect(await screen.findByRole('heading', { level: 1, name: 'Blue Door Bakery' })).toBeVisible();
});

test('a lead reassigned meanwhile leaves the screen, and its unsaved notes can be copied', async () => {
  const { server, queries } = await openProfile();
  await userEvent.click(screen.getByRole('tab', { name: 'Notes' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Notes' }), 'Half a thought');
  server.refuses(getLead.byId, 'not_your_lead', 'This lead is assigned to another user');

  await act(() => refetchLeads(queries));

  expect(await screen.findByRole('heading', { name: 'Customer Assigned to Another User' })).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Your unsaved notes' })).toHaveValue('Half a thought');
});

test('while leads are worked through, one that is gone leads on to the next', async () => {
  clearTab();
  const item = (uuid: string) => ({ ...aProfile({ lead: { uuid } }), latestActivity: null, match: null });
  const queue = createQueue('Overdue', '/today', [item(UUID), item('next')]);
  if (queue) storeQueue(priya.id, queue);
  const server = profileServer();
  server.handles(getLead.byUuid, ({ path }) =>
    path.endsWith(UUID)
      ? Response.json({ code: 'not_found', message: 'This lead no longer exists' }, { status: 404 })
      : Response.json(aProfile({ lead: { uuid: 'next' } })),
  );
  showLead(priya, { uuid: UUID });
  expect(await screen.findByRole('heading', { level: 1, name: 'Unable to Load Customer' })).toBeVisible();
  expect(screen.getByText('1 of 2')).toBeVisible();
  await press('Next lead');
  await waitFor(() => expect(window.location.pathname).toBe('/business/uuid/next'));
});

test('while leads are worked through, a digit logs an outcome and goes on', async () => {
  clearTab();
  enableKeys(priya.id);
  const item = (uuid: string) => ({ ...aProfile({ lead: { uuid } }), latestActivity: null });
  const queue = createQueue('Overdue', '/today', [item(UUID), item('next')]);
  if (queue) storeQueue(priya.id, queue);
  const server = profileServer({ lead: { uuid: UUID } });
  server.handles(getLead.byUuid, ({ path }) =>
    Response.json(aProfile({ lead: { uuid: path.endsWith(UUID) ? UUID : 'next' } })),
  );
  const logged = { activity: anActivity({ id: 51, outcome: 'interested' }), userBusiness: { ...lead, uuid: UUID } };
  server.responds(logContact.byUuid, logged);
  showLead(priya, { uuid: UUID });
  expect(await screen.findByText('1 of 2')).toBeVisible();
  await userEvent.keyboard('4');
  expect(await screen.findByRole('dialog', { name: 'Log contact' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await userEvent.keyboard('7');
  await waitFor(() => expect(window.location.pathname).toBe('/business/uuid/next'));
  expect(server.last(logContact.byUuid)?.body).toMatchObject({ outcome: 'interested', next: { type: 'call' } });
  expect(server.times(changeLeadStatus.byUuid)).toBe(0);
});

test('the end of working through says how many were logged', async () => {
  clearTab();
  const item = (uuid: string) => ({ ...aProfile({ lead: { uuid, lastContactedAt: null } }), latestActivity: null });
  const queue = createQueue('Overdue', '/today', [item('first'), item(UUID)]);
  if (queue) storeQueue(priya.id, queue);
  const server = profileServer();
  server.responds(getLead.byUuid, aProfile({ lead: { uuid: UUID, lastContactedAt: '2026-07-02T09:00:00.000Z' } }));
  showLead(priya, { uuid: UUID });
  expect(await screen.findByText('2 of 2')).toBeVisible();
  await press('Next lead');
  await waitFor(() => expect(toasts.current()?.title).toBe('Worked through 2 leads'));
  expect(toasts.current()?.description).toBe('1 logged, 1 skipped.');
  dismissToast();
});

test('a draft of another user in the same tab is not shown', async () => {
  clearTab();
  saveDraft(priya.id, UUID, { text: 'Not for you', version: 0 });
  const server = profileServer();
  server.refuses(getLead.byUuid, 'not_your_lead', 'This lead is assigned to another user');
  showLead(otherUser('user'), { uuid: UUID });
  await screen.findByRole('heading', { name: 'Customer Assigned to Another User' });
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('loaded data stays when a refetch fails', async () => {
  const { server, queries } = await openProfile();
  server.vanishes(getLead.byId);
  await act(() => refetchLeads(queries));
  expect(screen.getByRole('heading', { level: 1, name: 'Blue Door Bakery' })).toBeVisible();
});

test("without the settings the browser's time zone is used", async () => {
  clearTab();
  const server = profileServer();
  server.refuses(getSettings, 'internal', 'Something went wrong');
  showLead();
  expect(await screen.findByText('Assigned:')).toBeVisible();
});

test('the link of a merged lead opens the lead that it is part of', async () => {
  const other = '11111111-2222-4333-8444-555555555555';
  const server = profileServer();
  const body = JSON.stringify({
    code: 'not_found',
    message: 'This business was merged with another one',
    movedTo: UUID,
  });
  server.handles(getLead.byUuid, ({ path }) =>
    path.endsWith(other) ? new Response(body, { status: 404 }) : Response.json(aProfile()),
  );
  window.history.replaceState(null, '', `/business/uuid/${other}`);
  showLead(priya, { uuid: other });
  await waitFor(() => expect(window.location.pathname).toBe(`/business/uuid/${UUID}`));
  expect(screen.queryByText('Unable to Load Customer')).toBeNull();
});
