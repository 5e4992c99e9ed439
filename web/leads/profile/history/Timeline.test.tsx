import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { addComment, deleteComment } from '#contract/leads/comments/comments.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { getTimeline, type TimelineEntry } from '#contract/leads/timeline/timeline.calls.ts';
import { refetchChangedLeads } from '#web/leads/leads.data.ts';
import {
  button,
  lead,
  openProfile,
  openTab,
  otherUser,
  press,
  priya,
  stubConfirm,
  UUID,
} from '#web/testing/lead-profile.tsx';

// Half an hour after midnight in London, still July 2 in UTC.
const NIGHT = '2026-07-02T23:30:00.000Z';
const MORNING = '2026-07-02T08:05:00.000Z';

type Entry<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>;
const common = { at: MORNING, user: 'priya' };
const aCall = (id: number, entry: Partial<Entry<'activity'>> = {}): TimelineEntry => ({
  ...{ kind: 'activity', type: 'call', outcome: null, description: `Call ${id}`, id: `activity-${id}`, ...common },
  ...entry,
});
const aChange = (change: Entry<'change'>['change'], entry: Partial<Entry<'change'>> = {}): TimelineEntry => ({
  ...{ kind: 'change', id: `change-${change.field}`, ...common, change, source: 'profile', undo: false, done: false },
  ...entry,
});
const aHandOver = (entry: Partial<Entry<'assignment'>> = {}): TimelineEntry => ({
  ...{ kind: 'assignment', id: 'assignment-1', ...common, previous: null, next: 'priya', imported: false, notes: null },
  ...entry,
});
const aCredit = (entry: Partial<Entry<'credit'>> = {}): TimelineEntry => ({
  ...{ kind: 'credit', id: 'credit-5', ...common, holder: 'priya', counted: true },
  ...entry,
});

async function openTimeline(items: TimelineEntry[], next: string | null = null) {
  const view = await openProfile();
  view.server.responds(getTimeline.byId, { items, next });
  await openTab(/^Timeline$/);
  return view;
}

/** The texts of the entries of a day, with plain spaces. */
const readDay = async (day: string) =>
  within(await screen.findByRole('list', { name: day }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const DAY = 'Thursday, July 2, 2026';

test.each<{ what: string; entry: TimelineEntry; text: string }>([
  {
    what: 'a contact',
    entry: aCall(1, { outcome: 'spoke', description: 'Wants a quote' }),
    text: 'Call Spoke, not now09:05 by priyaWants a quote',
  },
  {
    what: 'a change',
    entry: aChange({ field: 'status', before: 'New', after: 'Recontact' }),
    text: 'Status from New → to Recontact09:05 by priya',
  },
  {
    what: 'a change elsewhere',
    entry: aChange({ field: 'tag', before: null, after: 'hot' }, { source: 'bulk' }),
    text: 'Tag added hot09:05 by priya as a bulk action',
  },
  {
    what: 'a removed value',
    entry: aChange({ field: 'email', before: 'a@example.org', after: null }),
    text: 'Email removed a@example.org09:05 by priya',
  },
  {
    what: 'a follow-up that was dropped',
    entry: aChange({ field: 'followUp', before: 'Call, Jul 2, 2026, 09:00', after: null }),
    text: 'Follow-up removed Call, Jul 2, 2026, 09:0009:05 by priya',
  },
  {
    what: 'a follow-up that was done',
    entry: aChange({ field: 'followUp', before: 'Call, Jul 2, 2026, 09:00', after: null }, { done: true }),
    text: 'Follow-up done Call, Jul 2, 2026, 09:0009:05 by priya',
  },
  {
    what: 'a follow-up that was done with the next one planned',
    entry: aChange(
      { field: 'followUp', before: 'Call, Jul 2, 2026, 09:00', after: 'Call, Jul 9, 2026, 09:00' },
      { done: true },
    ),
    text: 'Follow-up done Call, Jul 2, 2026, 09:00, next: Call, Jul 9, 2026, 09:0009:05 by priya',
  },
  {
    what: 'saved notes',
    entry: aChange({ field: 'notes', before: null, after: null }),
    text: 'Notes saved 09:05 by priya',
  },
  {
    what: 'an undone change',
    entry: aChange({ field: 'status', before: 'Recontact', after: 'New' }, { undo: true }),
    text: 'Undone: Status from Recontact → to New09:05 by priya',
  },
  {
    what: 'the first holder',
    entry: aHandOver({ user: 'ada' }),
    text: 'Initially assigned to priya 09:05 by ada',
  },
  {
    what: 'an import',
    entry: aHandOver({ imported: true, user: 'deleted user' }),
    text: 'Imported and assigned to priya 09:05 by deleted user',
  },
  {
    what: 'a hand-over',
    entry: aHandOver({ previous: 'tom', notes: 'Holiday cover' }),
    text: 'Reassigned from tom to priya 09:05 by priyaHoliday cover',
  },
  { what: 'a credit', entry: aCredit({ user: null }), text: "Counts toward priya's goal 09:05" },
  {
    what: 'the credit of an existing customer',
    entry: aCredit({ counted: false }),
    text: "Does not count toward priya's goal: existing customer 09:05 by priya",
  },
])('$what is shown with what, who and when', async ({ entry, text }) => {
  await openTimeline([entry]);
  expect(await readDay(DAY)).toEqual([text]);
});

test('entries are grouped by day in the time zone of the team', async () => {
  await openTimeline([aCall(3, { at: new Date().toISOString() }), aCall(2, { at: NIGHT }), aCall(1)]);
  expect(await readDay('Today')).toHaveLength(1);
  expect(await readDay('Friday, July 3, 2026')).toEqual(['Call 00:30 by priyaCall 2']);
  expect(await readDay(DAY)).toEqual(['Call 09:05 by priyaCall 1']);
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Today',
    'Friday, July 3, 2026',
    DAY,
  ]);
});

test('it is read when its tab is opened, and the URL keeps the tab', async () => {
  const { server } = await openProfile({ leadRef: { uuid: UUID } });
  expect(server.times(getTimeline.byUuid)).toBe(0);
  server.responds(getTimeline.byUuid, { items: [aCall(1)], next: null });
  await openTab(/^Timeline$/);
  expect(await screen.findByText('Call 1')).toBeVisible();
  expect(server.last(getTimeline.byUuid)?.path).toBe(`/api/business-timeline-by-uuid/${UUID}?show=all`);
  expect(window.location.search).toBe('?tab=timeline');
  await openTab(/^Notes/);
});

test('a filter is read from the server, and kept while another tab is open', async () => {
  const { server } = await openTimeline([aCall(1)]);
  expect(await screen.findByText('Call 1')).toBeVisible();
  server.responds(getTimeline.byId, { items: [], next: null });
  await press('Changes');
  expect(await screen.findByText('No changes yet.')).toBeVisible();
  expect(server.last(getTimeline.byId)?.path).toBe(`/api/business-timeline/${lead.id}?show=changes`);
  expect(window.location.search).toBe('?tab=timeline&show=changes');
  expect(button('Changes')).toHaveAttribute('aria-pressed', 'true');
  expect(button('All')).toHaveAttribute('aria-pressed', 'false');

  await openTab(/^Notes/);
  await openTab(/^Timeline$/);
  expect(screen.getByText('No changes yet.')).toBeVisible();
});

test.each([
  ['All', 'Nothing has happened yet.'],
  ['Contacts', 'No contacts yet.'],
  ['Changes', 'No changes yet.'],
])('%s without entries shows a message', async (filter, message) => {
  await openTimeline([]);
  await press(filter);
  expect(await screen.findByText(message)).toBeVisible();
});

test('older entries are added by a button, which leaves the focus in the list at the end', async () => {
  const { server } = await openTimeline([aCall(2)], '1-1.....');
  server.responds(getTimeline.byId, { items: [aCall(1)], next: null });
  (await screen.findByRole('button', { name: 'Show more' })).focus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText('Call 1')).toBeVisible();
  expect(screen.getByText('Call 2')).toBeVisible();
  expect(server.last(getTimeline.byId)?.path).toBe(`/api/business-timeline/${lead.id}?show=all&before=1-1.....`);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toContainElement(screen.getByText('Call 1')));
  expect(document.activeElement).not.toBe(document.body);
  expect(screen.getByText('2 entries shown')).toBeInTheDocument();
});

test('older entries that cannot be loaded leave the newer ones, and can be tried again', async () => {
  const { server } = await openTimeline([aCall(2)], '1-1.....');
  server.refuses(getTimeline.byId, 'internal', 'Something went wrong');
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText(/^Older entries could not be loaded: 500: Something went wrong/)).toBeVisible();
  expect(screen.getByText('Call 2')).toBeVisible();

  server.responds(getTimeline.byId, { items: [aCall(1)], next: null });
  await press('Show more');
  expect(await screen.findByText('Call 1')).toBeVisible();
  expect(screen.queryByText(/^Older entries could not be loaded/)).toBeNull();
});

test('a timeline that cannot be loaded can be tried again', async () => {
  const { server } = await openProfile();
  const held = server.holds(getTimeline.byId);
  await openTab(/^Timeline$/);
  expect(screen.getByText('Loading timeline…')).toBeInTheDocument();
  held.refuse('internal', 'Something went wrong');
  expect(await screen.findByText('The timeline could not be loaded')).toBeVisible();
  expect(screen.getByText('500: Something went wrong')).toBeVisible();

  server.responds(getTimeline.byId, { items: [aCall(1)], next: null });
  await press('Try Again');
  expect(await screen.findByText('Call 1')).toBeVisible();
});

test('a change made on the profile appears', async () => {
  const { server } = await openTimeline([]);
  expect(await screen.findByText('Nothing has happened yet.')).toBeVisible();
  server.responds(getTimeline.byId, {
    items: [aChange({ field: 'status', before: 'New', after: 'Recontact' })],
    next: null,
  });
  server.responds(changeLeadStatus.byId, { ...lead, status: 'recontact' });
  await press('Recontact');
  expect(await readDay(DAY)).toHaveLength(1);
});

test('a change by another user appears, and one of another lead reads nothing', async () => {
  const { server, queries } = await openTimeline([aCall(1)]);
  expect(await screen.findByText('Call 1')).toBeVisible();
  await refetchChangedLeads(queries, { ids: [lead.id + 1], inList: true });
  expect(server.times(getTimeline.byId)).toBe(1);
  server.responds(getTimeline.byId, { items: [aCall(2), aCall(1)], next: null });
  await refetchChangedLeads(queries, { ids: [lead.id], inList: true });
  expect(await screen.findByText('Call 2')).toBeVisible();
});

test("times name the team's zone where the viewer's clock differs", async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const [before, after] = ['Call, Jul 2, 2026, 09:00', 'Call, Jul 9, 2026, 09:00'];
  await openTimeline([aChange({ field: 'followUp', before, after })]);
  expect(await readDay(DAY)).toEqual([
    'Follow-up from Call, Jul 2, 2026, 09:00 GMT+1 → to Call, Jul 9, 2026, 09:00 GMT+109:05 GMT+1 by priya',
  ]);
});

type CommentEntry = Entry<'comment'>;
const aComment = (id: number, entry: Partial<CommentEntry> = {}): CommentEntry => ({
  ...{ kind: 'comment', id: `comment-${id}`, commentId: id, ...common, createdBy: 9, text: `Comment ${id}` },
  ...entry,
});

test('a comment is added with its whole text, and shown among all entries', async () => {
  const { server, toasts } = await openTimeline([]);
  await press('Changes');
  const form = within(screen.getByRole('form', { name: 'Add comment' }));
  expect(form.getByText('All who commented before are notified.')).toBeVisible();
  await userEvent.type(form.getByLabelText('Comment'), ' Rang twice.{Enter}No answer. ');
  server.responds(addComment.byId, {
    ...{ id: 1, userBusinessId: lead.id, createdBy: 7, createdAt: MORNING },
    text: 'Rang twice.\nNo answer.',
    holderNotified: false,
  });
  server.responds(getTimeline.byId, { items: [aComment(1, { createdBy: 7 })], next: null });
  await userEvent.click(form.getByRole('button', { name: 'Add Comment' }));
  expect(await readDay(DAY)).toEqual(['Comment 09:05 by priyaComment 1']);
  expect(server.last(addComment.byId)).toMatchObject({ body: { text: 'Rang twice.\nNo answer.' } });
  expect(button('All')).toHaveAttribute('aria-pressed', 'true');
  expect(form.getByLabelText('Comment')).toHaveValue('');
  expect(toasts).toEqual(['Comment added']);
});

test('an empty comment is refused, and one that was refused is kept', async () => {
  const { server, toasts } = await openTimeline([]);
  await press('Add Comment');
  expect(await screen.findByText('Please enter a comment')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Comment'), 'Rang twice.');
  server.refuses(addComment.byId, 'not_your_lead', 'This business is assigned to another user');
  await press('Add Comment');
  await waitFor(() =>
    expect(toasts).toEqual(['Failed to add comment | 403: This business is assigned to another user']),
  );
  expect(screen.getByLabelText('Comment')).toHaveValue('Rang twice.');
  await openTab(/^Notes/);
  await openTab(/^Timeline$/);
  expect(screen.getByLabelText('Comment')).toHaveValue('Rang twice.');
});

test.each([
  { who: 'its author', as: priya, may: ['Comment 2'] },
  { who: 'an admin', as: otherUser('admin'), may: ['Comment 1', 'Comment 2'] },
  { who: 'a manager', as: { ...otherUser('manager'), id: 8 }, may: [] },
])('a comment is deleted by $who', async ({ as, may }) => {
  const { server } = await openProfile({ as });
  server.responds(getTimeline.byId, {
    items: [aComment(1, { createdBy: 10 }), aComment(2, { createdBy: 7 })],
    next: null,
  });
  await openTab(/^Timeline$/);
  await screen.findByText('Comment 1');
  const deletable = screen
    .getAllByRole('listitem')
    .filter((item) => within(item).queryByRole('button', { name: 'Delete comment' }))
    .map(({ textContent }) => /Comment \d$/.exec(textContent ?? '')?.[0]);
  expect(deletable).toEqual(may);
});

test('a comment that was deleted is gone, and the focus stays in the list', async () => {
  const { server, toasts } = await openTimeline([aComment(2, { createdBy: 7 }), aComment(1)]);
  const questions = stubConfirm(true);
  server.responds(deleteComment, { message: 'Comment deleted' });
  await screen.findByText('Comment 2');
  server.responds(getTimeline.byId, { items: [aComment(1)], next: null });
  await press('Delete comment');
  await waitFor(() => expect(screen.queryByText('Comment 2')).toBeNull());
  expect(questions).toEqual(['Are you sure you want to delete this comment?']);
  expect(server.last(deleteComment)?.path).toBe('/api/lead-comments/2');
  expect(toasts).toEqual(['Comment deleted']);
  expect(document.activeElement).toContainElement(screen.getByText('Comment 1'));
});
