import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Body } from '#contract/call.ts';
import { findDuplicateMatches } from '#contract/duplicates/duplicates.calls.ts';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { exportBusinesses, listUsersToAssign, searchBusinesses } from '#contract/search/search.calls.ts';
import { assignBusinesses, previewAssignment } from '#contract/territories/territories.calls.ts';
import { newUuid } from '#web/kit/api.ts';
import { aLead, aPlace, aSearchResponse, bob } from '#web/testing/fixtures.ts';
import { box, field, search } from '#web/testing/search.tsx';

const response = aSearchResponse([aPlace(1), aPlace(2), aPlace(3)]);
const dialog = () => screen.getByRole('dialog', { name: 'Assign Businesses' });
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

type AssignBody = Body<typeof assignBusiness> & { createdBy: number };
type Server = Awaited<ReturnType<typeof search>>['server'];
const calls = (server: Server) => server.requests.filter(({ path }) => path === assignBusiness.path);
const bodies = (server: Server) => calls(server).map(({ body }) => body as AssignBody);

/** Responds to each assignment by its business: with the refusal given for it, or else with a lead. */
function respondToAssignments(refusals: Record<number, [ErrorCode, string] | undefined>) {
  const fakeFetch = globalThis.fetch;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const plain = await fakeFetch(path, init);
    if (path !== assignBusiness.path) return plain;
    const { businessId } = JSON.parse(String(init.body)) as AssignBody;
    const [code, message] = refusals[businessId] ?? [];
    if (!code) return Response.json(aLead(businessId, { viewed: false }), { status: 201 });
    return Response.json({ code, message }, { status: ERROR_STATUS[code] });
  });
}

async function openDialog() {
  const opened = await search({ response });
  await userEvent.click(box('Select All'));
  await click('Assign to User');
  await screen.findByLabelText('User');
  return opened;
}

async function assignToBob() {
  await userEvent.selectOptions(screen.getByLabelText('User'), 'Bob Cratchit (bob)');
  await userEvent.click(within(dialog()).getByRole('button', { name: 'Assign' }));
}

const ALREADY: [ErrorCode, string] = ['already_assigned', 'Business is already assigned to this user'];

test('only administrators assign, and only selected businesses', async () => {
  const { unmount } = await search({ response, as: bob });
  expect(screen.queryByRole('button', { name: 'Assign to User' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled();
  unmount();
  await search({ response });
  expect(screen.getByRole('button', { name: 'Assign to User' })).toBeDisabled();
});

test('the dialog shows the count and requires a user', async () => {
  const { server } = await openDialog();
  expect(dialog()).toHaveAccessibleDescription('3 selected businesses will be assigned.');
  await userEvent.click(within(dialog()).getByRole('button', { name: 'Assign' }));
  expect(screen.getByLabelText('User')).toHaveAccessibleDescription('Please select a user');
  expect(calls(server)).toEqual([]);
  await click('Cancel');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(box('Select All')).toBeChecked();
});

test('a business that looks like a lead is named with a link, and can be assigned', async () => {
  const { server } = await search({ response });
  const match = { businessId: 9, name: 'Blue Door Bakery', town: 'York', reasons: ['phone' as const], score: 0.9 };
  server.responds(findDuplicateMatches, [{ businessId: 1, match, leadUuid: aLead(9).uuid }]);
  await userEvent.click(box('Select Shop 1'));
  await click('Assign to User');
  const link = await screen.findByRole('link', { name: 'Blue Door Bakery in York' });
  expect(link).toHaveAttribute('href', `/business/uuid/${aLead(9).uuid}`);
  expect(link.closest('li')).toHaveTextContent('Looks like Blue Door Bakery in York: same phone');
  expect(server.last(findDuplicateMatches)?.body).toEqual({ businessIds: [1] });
  expect(within(dialog()).getByRole('button', { name: 'Assign' })).toBeEnabled();
});

test('users that could not be loaded can be loaded again', async () => {
  const { server } = await search({ response });
  server.refuses(listUsersToAssign, 'internal', 'Something went wrong');
  await userEvent.click(box('Select Shop 1'));
  await click('Assign to User');
  await screen.findByText('500: Something went wrong');
  server.responds(listUsersToAssign, [{ id: bob.id, fullName: bob.fullName, username: bob.username }]);
  await click('Try Again');
  expect(await screen.findByLabelText('User')).toBeVisible();
  expect(dialog()).toHaveAccessibleDescription('1 selected business will be assigned.');
});

test('all assigned: one call each in sequence, then the lists are refetched', async () => {
  const { server, toasts } = await openDialog();
  respondToAssignments({});
  await assignToBob();
  await waitFor(() => expect(toasts).toEqual(['Success | 3 business(es) assigned successfully to Bob Cratchit']));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(box('Select All')).not.toBeChecked();
  expect(bodies(server).map(({ businessId }) => businessId)).toEqual([1, 2, 3]);
  expect(bodies(server)[0]).toEqual({
    userId: bob.id,
    businessId: 1,
    uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    status: 'new',
    viewed: false,
    archived: false,
    tags: [],
    createdBy: 1,
    notes: '',
    customFields: {},
    batch: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(new Set(bodies(server).map(({ batch }) => batch)).size).toBe(1);
  const keys = calls(server).map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(3);
  await waitFor(() => expect(server.times(searchBusinesses)).toBe(2));
});

test('the refetch after assigning does not block the next search', async () => {
  const { server, toasts, lastSearch } = await openDialog();
  respondToAssignments({});
  server.holds(searchBusinesses);
  await assignToBob();
  await waitFor(() => expect(toasts).toHaveLength(1));
  await waitFor(() => expect(server.times(searchBusinesses)).toBe(2));
  server.responds(searchBusinesses, aSearchResponse([aPlace(9)]));
  await userEvent.type(field('Location'), ' LS1{Enter}');
  expect(await screen.findByRole('article', { name: 'Shop 9' })).toBeVisible();
  expect(lastSearch()).toMatchObject({ location: 'Leeds LS1' });
});

test('the dialog shows progress and stays open while assigning', async () => {
  const { server } = await openDialog();
  const held = server.holds(assignBusiness);
  await assignToBob();
  expect(await within(dialog()).findByRole('button', { name: 'Assigning...' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  expect(within(dialog()).getByText('0 of 3 done')).toBeVisible();
  expect(within(dialog()).getByRole('progressbar')).toHaveAttribute('aria-valuetext', '0 of 3 done');
  await userEvent.keyboard('{Escape}');
  expect(dialog()).toBeVisible();
  expect(calls(server)).toHaveLength(1);
  held.respond(aLead(1, { viewed: false }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('some businesses were already assigned', async () => {
  const { toasts } = await openDialog();
  respondToAssignments({ 2: ALREADY });
  await assignToBob();
  await waitFor(() =>
    expect(toasts).toEqual([
      'Partial Success | 2 business(es) assigned successfully to Bob Cratchit, 1 already assigned to this user',
    ]),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('all businesses were already assigned', async () => {
  const { toasts } = await openDialog();
  respondToAssignments({ 1: ALREADY, 2: ALREADY, 3: ALREADY });
  await assignToBob();
  await waitFor(() =>
    expect(toasts).toEqual(['Partial Success | All 3 business(es) were already assigned to this user']),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('after failures the dialog stays open with names and reasons, and a retry sends only those', async () => {
  const { server, toasts } = await openDialog();
  respondToAssignments({ 1: ['busy', 'Please try again'], 2: ALREADY, 3: ['internal', ''] });
  await assignToBob();
  await waitFor(() => expect(toasts).toEqual(['Error | Failed to assign 2 business(es): Shop 1, Shop 3']));
  expect(within(dialog()).getByText('Shop 1: Please try again')).toBeVisible();
  expect(within(dialog()).getByText('Shop 3: Failed to assign business')).toBeVisible();
  expect(dialog()).toHaveAccessibleDescription('2 selected businesses will be assigned.');

  const before = calls(server).map(({ headers }) => headers.get('idempotency-key'));
  respondToAssignments({});
  await userEvent.click(within(dialog()).getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(toasts.at(-1)).toBe('Success | 2 business(es) assigned successfully to Bob Cratchit'));
  const again = calls(server).slice(3);
  expect(
    again.map(({ headers }) => headers.get('idempotency-key')),
    'the same action, the same key',
  ).toEqual([before[0], before[2]]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an ended session stops the remaining calls', async () => {
  const { server, toasts } = await openDialog();
  respondToAssignments({ 1: ['not_authenticated', 'Please sign in'] });
  await assignToBob();
  await waitFor(() => expect(toasts).toEqual(['(signed out)']));
  expect(calls(server)).toHaveLength(1);
});

test('UUIDs are unique', () => {
  expect(newUuid()).not.toBe(newUuid());
});

const saved: { name: string; content: Blob }[] = [];

beforeEach(() => {
  saved.length = 0;
  let content = new Blob();
  URL.createObjectURL = (blob) => {
    content = blob as Blob;
    return 'blob:export';
  };
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content });
  });
});

async function exportCsv() {
  await click('Export');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV File' }));
}

test('an export with nothing selected shows a toast', async () => {
  const { server, allToasts } = await search({ response });
  await exportCsv();
  expect(allToasts()).toEqual(['Please select at least one business to export.']);
  expect(server.times(exportBusinesses)).toBe(0);
});

test('the selected businesses are exported as business-data.csv', async () => {
  const { server, toasts } = await search({ response, as: bob });
  server.breaks(exportBusinesses, 200, 'Name\r\nShop 2\r\n');
  await userEvent.click(box('Select Shop 2'));
  await exportCsv();
  await waitFor(() => expect(toasts).toEqual(['Data exported as CSV successfully!']));
  expect(server.last(exportBusinesses)?.body).toMatchObject({
    format: 'csv',
    placeIds: ['place-2'],
    businessType: 'bakery',
    location: 'Leeds',
  });
  expect(saved.map(({ name }) => name)).toEqual(['business-data.csv']);
  expect(saved[0]?.content.size).toBe(14);
});

test('a failed export shows the reason', async () => {
  const { server, toasts } = await search({ response });
  server.refuses(exportBusinesses, 'rate_limited', 'Too many exports');
  await userEvent.click(box('Select Shop 2'));
  await exportCsv();
  await waitFor(() => expect(toasts).toEqual(['Export failed: 429: Too many exports']));
  expect(saved).toEqual([]);
  expect(box('Select Shop 2')).toBeChecked();
});

test('businesses are shared out by territory after a preview, with one call', async () => {
  const { server, toasts } = await openDialog();
  await click('Share out to several users…');
  const assign = () => within(dialog()).getByRole('button', { name: 'Assign' });
  expect(assign()).toBeDisabled();
  const shares = [
    { userId: 7, fullName: 'Grace', count: 2, fallback: 0, held: 0 },
    { userId: bob.id, fullName: bob.fullName, count: 1, fallback: 1, held: 0 },
  ];
  server.responds(previewAssignment, { shares });
  server.responds(assignBusinesses, { shares });
  await userEvent.selectOptions(screen.getByLabelText('Outside all territories'), 'Bob Cratchit (bob)');
  const sentence = `Grace 2, outside all territories: 1 → ${bob.fullName}`;
  expect(await screen.findByText(sentence)).toBeVisible();
  await userEvent.click(assign());
  await waitFor(() => expect(toasts).toEqual([`Success | 3 business(es) assigned successfully: ${sentence}`]));
  const choice = { way: 'territory', fallbackUserId: bob.id };
  expect(server.last(previewAssignment)?.body).toEqual({ businessIds: [1, 2, 3], choice });
  expect(server.last(assignBusinesses)?.body).toEqual({ businessIds: [1, 2, 3], choice });
  expect(calls(server)).toEqual([]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('sharing out among chosen users, and back to one user', async () => {
  const { server } = await openDialog();
  await click('Share out to several users…');
  const shares = [{ userId: bob.id, fullName: bob.fullName, count: 0, fallback: 0, held: 3 }];
  server.responds(previewAssignment, { shares });
  await click('By open leads');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Bob Cratchit (bob)' }));
  expect(await screen.findByText('There is nothing to give to anyone.')).toBeVisible();
  expect(screen.getByText('3 already assigned')).toBeVisible();
  expect(server.last(previewAssignment)?.body).toMatchObject({ choice: { way: 'load', userIds: [bob.id] } });
  expect(within(dialog()).getByRole('button', { name: 'Assign' })).toBeDisabled();
  server.refuses(previewAssignment, 'invalid_target', 'A chosen user does not exist or is inactive');
  await click('By goal left');
  expect(await screen.findByText('400: A chosen user does not exist or is inactive')).toBeVisible();
  await click('Back');
  expect(screen.getByLabelText('User')).toBeVisible();
});
