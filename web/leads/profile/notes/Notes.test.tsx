import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { changeLeadNotes, getLead } from '#contract/leads/leads.calls.ts';
import { mergeNotes } from '#contract/leads/merge-notes.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { toasts as pageToasts, toast } from '#web/kit/toasts.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import {
  aProfile,
  button,
  lead,
  openProfile,
  openTab,
  otherUser,
  press,
  priya,
  profileServer,
  showLead,
  UUID,
} from '#web/testing/lead-profile.tsx';
import { dismissToast } from '#web/testing/show.tsx';

type Opening = Parameters<typeof openProfile>[0];

const OLD = { notes: 'Opens at 8.', notesVersion: 3 };
const field = () => screen.getByRole('textbox', { name: /notes/i });
const draft = () => readDraft(priya.id, UUID);

async function openNotes(given: Opening = { lead: OLD }) {
  const opened = await openProfile(given);
  await openTab(/^Notes/);
  return opened;
}

async function retype(text: string) {
  await userEvent.clear(field());
  await userEvent.type(field(), text);
}

/** Simulates a reload in the same tab. */
async function reload(view: { unmount: () => void }, given: Parameters<typeof profileServer>[0]) {
  view.unmount();
  const server = profileServer(given);
  const next = showLead();
  await screen.findByRole('heading', { level: 1 });
  await openTab(/^Notes/);
  return { server, ...next };
}

const stale = (current: { notes: string; notesVersion: number }) =>
  JSON.stringify({ code: 'stale_notes', message: 'Somebody else has changed these notes meanwhile', current });

test.each([
  { notes: '', tab: 'Notes' },
  { notes: '  \n', tab: 'Notes' },
  { notes: 'Opens at 8.', tab: 'Notes (1)' },
])('with $notes the tab reads "$tab"', async ({ notes, tab }) => {
  await openProfile({ lead: { notes } });
  expect(screen.getByRole('tab', { name: tab })).toBeVisible();
});

test('notes are saved with their version, and the status is shown', async () => {
  const { server, toasts } = await openNotes();
  const held = server.holds(changeLeadNotes.byId);
  expect(field()).toHaveValue('Opens at 8.');
  expect(screen.getByText('All changes saved.')).toBeVisible();

  await retype('Opens at 9.');
  expect(screen.getByText('Not saved yet. Your text is kept in this tab.')).toBeVisible();
  await press('Save Notes');
  expect(button('Saving...')).toHaveAttribute('aria-disabled', 'true');
  held.respond({ ...lead, notes: 'Opens at 9.', notesVersion: 4 });

  expect(await screen.findByText('All changes saved.')).toBeVisible();
  expect(button('Save Notes')).not.toHaveAttribute('aria-disabled');
  expect(toasts).toEqual(['Notes updated']);
  expect(server.last(changeLeadNotes.byId)).toMatchObject({
    path: '/api/business-notes/5',
    body: { notes: 'Opens at 9.', notesVersion: 3 },
  });
  expect(draft()).toBeUndefined();
});

test('unchanged notes are not sent', async () => {
  const { server } = await openNotes();
  await press('Save Notes');
  await retype('Opens at 8.');
  await press('Save Notes');
  expect(server.times(changeLeadNotes.byId)).toBe(0);
  expect(draft()).toBeUndefined();
});

test('text typed while the notes are saved is a draft on the new version', async () => {
  const { server } = await openNotes();
  const held = server.holds(changeLeadNotes.byId);
  await retype('One');
  await press('Save Notes');
  await userEvent.type(field(), ' two');
  held.respond({ ...lead, notes: 'One', notesVersion: 4 });

  await waitFor(() => expect(draft()).toEqual({ text: 'One two', version: 4 }));
  expect(field()).toHaveValue('One two');
  expect(screen.queryByRole('region', { name: 'Notes conflict' })).toBeNull();
});

test('notes that could not be saved stay in the field', async () => {
  const { server, toasts } = await openNotes();
  server.refuses(changeLeadNotes.byId, 'internal', 'Something went wrong');
  await retype('Opens at 9.');
  await press('Save Notes');
  await waitFor(() => expect(toasts).toEqual(['Notes update failed | 500: Something went wrong']));
  expect(field()).toHaveValue('Opens at 9.');
  expect(draft()).toEqual({ text: 'Opens at 9.', version: 3 });
});

test('a viewer who may not change the lead reads the notes', async () => {
  await openNotes({ lead: OLD, as: otherUser('manager') });
  expect(screen.getByText('Opens at 8.')).toBeVisible();
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('a viewer who may not change the lead sees that there are no notes', async () => {
  await openNotes({ as: otherUser('manager') });
  expect(screen.getByText('No notes yet.')).toBeVisible();
});

test('Ctrl and Enter save the notes', async () => {
  const { server, toasts } = await openNotes();
  server.responds(changeLeadNotes.byId, { ...lead, notes: 'Opens at 8.!', notesVersion: 4 });
  await userEvent.type(field(), '!{Control>}{Enter}{/Control}');
  await waitFor(() => expect(toasts).toEqual(['Notes updated']));
});

test('the open tab is in the URL, and a reload opens it again', async () => {
  const { unmount } = await openNotes();
  expect(window.location.search).toBe('?tab=notes');
  unmount();
  profileServer({ lead: OLD });
  showLead();
  expect(await screen.findByRole('textbox', { name: /notes/i })).toHaveValue('Opens at 8.');
  await openTab(/Activities/);
  expect(window.location.search).toBe('');
});

describe('a draft', () => {
  test('survives a change of tab and a reload', async () => {
    const { unmount } = await openNotes();
    await retype('Half a thought');
    await openTab(/Activities/);
    await openTab(/^Notes/);
    expect(field()).toHaveValue('Half a thought');

    await reload({ unmount }, { lead: OLD });
    expect(field()).toHaveValue('Half a thought');
    expect(screen.getByText('Not saved yet. Your text is kept in this tab.')).toBeVisible();
  });

  test('is announced by a toast when the screen is left', async () => {
    const { unmount } = await openNotes();
    await retype('Half a thought');
    unmount();
    expect(pageToasts.current()).toMatchObject({
      title: 'Draft kept',
      description: expect.stringContaining('What you typed for Blue Door Bakery is kept in this tab.'),
    });
  });

  test.each([
    { age: 'older', ms: 2_000, title: 'Draft kept' },
    { age: 'simultaneous', ms: 0, title: 'Business archived' },
  ])('is announced in place of an $age toast: $title', async ({ ms, title }) => {
    const { unmount } = await openNotes();
    await retype('Half a thought');
    toast({ title: 'Business archived' });
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + ms);
    unmount();
    expect(pageToasts.current()?.title).toBe(title);
  });

  test('of an earlier visit is kept without a toast', async () => {
    const { unmount } = await openNotes();
    await retype('Half a thought');
    const again = await reload({ unmount }, { lead: OLD });
    dismissToast();
    again.unmount();
    expect(pageToasts.current()).toBeUndefined();
  });

  test('makes the browser ask before the page is left', async () => {
    await openNotes();
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(leave()).toBe(false);
    await retype('Half a thought');
    await openTab(/Activities/);
    expect(leave()).toBe(true);
    await openTab(/^Notes/);
    await retype('Opens at 8.');
    expect(leave()).toBe(false);
  });

  test('survives an expired session', async () => {
    const { server, toasts, unmount } = await openNotes();
    server.refuses(changeLeadNotes.byId, 'not_authenticated', 'Please sign in');
    await retype('Half a thought');
    await press('Save Notes');
    await waitFor(() => expect(toasts).toEqual(['(signed out)']));

    await reload({ unmount }, { lead: OLD });
    expect(field()).toHaveValue('Half a thought');
  });
});

describe('a conflict', () => {
  const theirs = { notes: 'Opens at 8.\nClosed on Mondays.', notesVersion: 4 };
  const conflict = () => screen.findByRole('region', { name: 'Notes conflict' });

  async function collide() {
    const opened = await openNotes();
    opened.server.breaks(changeLeadNotes.byId, 409, stale(theirs));
    await retype('Opens at 8.{Enter}Ask for Ada.');
    await press('Save Notes');
    const shown = within(await conflict());
    return { ...opened, shown };
  }
  const resolved = () => waitFor(() => expect(screen.queryByRole('region', { name: 'Notes conflict' })).toBeNull());

  test('shows both texts and disables saving', async () => {
    const { toasts, shown } = await collide();
    expect(toasts).toEqual(['Notes update failed | 409: Somebody else has changed these notes meanwhile']);
    expect(shown.getByText(/Closed on Mondays\./)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Your notes' })).toHaveValue('Opens at 8.\nAsk for Ada.');
    expect(button('Save Notes')).toBeDisabled();
    expect(screen.getByText('Choose above before you save.')).toBeVisible();
  });

  test('both can be merged and then saved', async () => {
    const { server, toasts } = await collide();
    await press('Keep both');
    await resolved();
    const both = 'Opens at 8.\nClosed on Mondays.\n\nAsk for Ada.';
    expect(field()).toHaveValue(both);
    expect(field()).toHaveFocus();

    server.responds(changeLeadNotes.byId, { ...lead, notes: both, notesVersion: 5 });
    await press('Save Notes');
    await waitFor(() => expect(toasts).toContain('Notes updated'));
    expect(server.last(changeLeadNotes.byId)?.body).toEqual({ notes: both, notesVersion: 4 });
    expect(draft()).toBeUndefined();
  });

  test('mine can be kept, which saves it', async () => {
    const { server, toasts } = await collide();
    const mine = 'Opens at 8.\nAsk for Ada.';
    server.responds(changeLeadNotes.byId, { ...lead, notes: mine, notesVersion: 5 });
    await press('Keep mine');
    await resolved();
    await waitFor(() => expect(toasts).toContain('Notes updated'));
    expect(server.last(changeLeadNotes.byId)?.body).toEqual({ notes: mine, notesVersion: 4 });
  });

  test('the saved notes can be kept', async () => {
    const { server } = await collide();
    await press('Keep saved notes');
    await resolved();
    expect(field()).toHaveValue(theirs.notes);
    expect(draft()).toBeUndefined();
    expect(server.times(changeLeadNotes.byId)).toBe(1);
  });

  test('is shown again when another user saves once more', async () => {
    const { server, shown } = await collide();
    server.breaks(changeLeadNotes.byId, 409, stale({ notes: 'Third', notesVersion: 5 }));
    await userEvent.click(shown.getByRole('button', { name: 'Keep mine' }));
    await waitFor(() => expect(screen.getByText('Third')).toBeVisible());
    expect(field()).toHaveValue('Opens at 8.\nAsk for Ada.');
  });

  test('does not interrupt typing when the notes are refetched, and is shown on saving', async () => {
    const { server, queries } = await openNotes();
    await retype('Mine');
    server.responds(getLead.byId, aProfile({ lead: theirs }));
    await act(() => refetchLeads(queries));
    expect(screen.queryByRole('region', { name: 'Notes conflict' })).toBeNull();
    expect(field()).toHaveValue('Mine');
    expect(field()).toHaveFocus();

    server.breaks(changeLeadNotes.byId, 409, stale(theirs));
    await press('Save Notes');
    expect(server.last(changeLeadNotes.byId)?.body).toEqual({ notes: 'Mine', notesVersion: 3 });
    expect(within(await conflict()).getByText(/Closed on Mondays\./)).toBeVisible();
  });

  test('is shown for a restored draft on older notes', async () => {
    const { unmount } = await openNotes();
    await retype('Mine');
    await reload({ unmount }, { lead: { notes: '', notesVersion: 4 } });
    expect(within(await conflict()).getByText('The notes were emptied.')).toBeVisible();
    expect(field()).toHaveValue('Mine');
  });

  test('does not occur when another user saved the same text', async () => {
    const { server, queries } = await openNotes();
    await retype('Mine');
    server.responds(getLead.byId, aProfile({ lead: { notes: 'Mine', notesVersion: 4 } }));
    await act(() => refetchLeads(queries));
    expect(await screen.findByText('All changes saved.')).toBeVisible();
    await userEvent.type(field(), '!');
    expect(draft()).toEqual({ text: 'Mine!', version: 4 });
  });
});

test.each([
  { saved: 'A', draft: 'B', merged: 'A\n\nB' },
  { saved: 'A\nB', draft: 'A\nC', merged: 'A\nB\n\nC' },
  { saved: 'A', draft: 'A', merged: 'A' },
  { saved: '', draft: 'B', merged: 'B' },
  { saved: 'A', draft: 'B\n\n\n\nC', merged: 'A\n\nB\n\nC' },
  { saved: 'A\n', draft: '  A \nB', merged: 'A\n\nB' },
])('$saved and $draft are merged to $merged', ({ saved, draft, merged }) => {
  expect(mergeNotes(saved, draft)).toBe(merged);
});

test('notes that do not fit into the storage say that a reload loses them', async () => {
  await openNotes();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await retype('Long');
  expect(
    await screen.findByText('Not saved yet. Your text could not be stored: a reload would lose it.'),
  ).toBeVisible();
});

test('leaving right after the last letter says that the draft is kept, whatever was shown before', async () => {
  const { unmount } = await openNotes();
  toast({ title: 'Follow-up planned' });
  await retype('Half');
  unmount();
  expect(pageToasts.current()?.title).toBe('Draft kept');
});
