import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { addActivity, deleteActivity, getLead } from '#contract/leads/leads.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import {
  anActivity,
  aProfile,
  lead,
  openProfile,
  openTab,
  otherUser,
  press,
  priya,
  profileServer,
  showLead,
  stubConfirm,
  UUID,
} from '#web/testing/lead-profile.tsx';

const rows = () => within(screen.getByRole('list', { name: 'Contact activities' })).getAllByRole('listitem');
const notes = () => screen.getByRole('textbox', { name: 'Activity notes' });
const idempotencyKey = (server: Awaited<ReturnType<typeof openProfile>>['server']) =>
  server.last(addActivity.byId)?.headers.get('idempotency-key');

test('activities are listed in the order of the response, with author and time', async () => {
  const activities = [
    anActivity({ id: 3, type: 'meeting', description: 'Met on site' }),
    anActivity({ id: 2, type: 'email', createdBy: 99 }),
    anActivity({ id: 1, type: 'note', createdBy: null }),
  ];
  await openProfile({ activities });
  expect(screen.getByRole('tab', { name: 'Contact Activities (3)', selected: true })).toBeVisible();
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    'MeetingJul 2, 2026, 10:05 by youMet on site',
    'EmailJul 2, 2026, 10:05Activity 2',
    'NoteJul 2, 2026, 10:05Activity 1',
  ]);
});

test('an empty list of activities shows a message', async () => {
  await openProfile();
  expect(screen.getByText('Nothing recorded yet.')).toBeVisible();
});

test('the form has the four types', async () => {
  await openProfile();
  const options = within(screen.getByRole('combobox', { name: 'Activity type' })).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['Call', 'Email', 'Meeting', 'Note']);
});

test('a trimmed activity is added, and the form is cleared', async () => {
  const { server, toasts } = await openProfile();
  const held = server.holds(addActivity.byId);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Activity type' }), 'Meeting');
  await userEvent.type(notes(), ' Met the owner ');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Add Activity' }));
  expect(screen.getByRole('button', { name: 'Adding...' })).toHaveAttribute('aria-disabled', 'true');
  const added = anActivity({ id: 1, type: 'meeting', description: 'Met the owner' });
  server.responds(getLead.byId, aProfile({ activities: [added] }));
  held.respond(added);

  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(toasts).toEqual(['Activity added']);
  expect(server.times(addActivity.byId)).toBe(1);
  expect(server.last(addActivity.byId)).toMatchObject({
    path: '/api/contact-activity/5',
    body: { type: 'meeting', notes: 'Met the owner' },
  });
  expect(idempotencyKey(server)).toMatch(/^[A-Za-z0-9-]{8,64}$/);
  await waitFor(() => expect(notes()).toHaveValue(''));
  expect(screen.getByRole('tab', { name: 'Contact Activities (1)' })).toBeVisible();
});

test('the form says which follow-up a contact completes; a note leaves it', async () => {
  await openProfile({ lead: { nextStepAt: '2026-07-03T09:00:00.000Z', nextStepType: 'call' } });
  expect(screen.getByText(/^This completes the follow-up planned for /)).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Activity type' }), 'Note');
  expect(screen.queryByText(/^This completes the follow-up/)).toBeNull();
});

test('the same text twice is two activities', async () => {
  const { server, toasts } = await openProfile();
  server.responds(addActivity.byId, anActivity({ id: 1 }));
  await userEvent.type(notes(), 'Called');
  await press('Add Activity');
  await waitFor(() => expect(notes()).toHaveValue(''));
  const first = idempotencyKey(server);
  await userEvent.type(notes(), 'Called');
  await press('Add Activity');
  await waitFor(() => expect(toasts).toEqual(['Activity added', 'Activity added']));
  expect(idempotencyKey(server)).not.toBe(first);
});

test('a retry after a lost response has the same idempotency key, and the text stays', async () => {
  const { server, toasts } = await openProfile();
  server.vanishes(addActivity.byId);
  await userEvent.type(notes(), 'Called');
  await press('Add Activity');
  await waitFor(() => expect(toasts).toEqual([expect.stringMatching(/^Failed to add activity \| /)]));
  const first = idempotencyKey(server);
  expect(notes()).toHaveValue('Called');

  server.responds(addActivity.byId, anActivity({ id: 1 }));
  await press('Add Activity');
  await waitFor(() => expect(toasts[1]).toBe('Activity added'));
  expect(idempotencyKey(server)).toBe(first);
});

describe('a draft', () => {
  const type = () => screen.getByRole('combobox', { name: 'Activity type' });
  const draft = () => readDraft(priya.id, `${UUID}.activity`);

  async function typeMeeting() {
    const opened = await openProfile();
    await userEvent.selectOptions(type(), 'Meeting');
    await userEvent.type(notes(), 'Half a thought');
    return opened;
  }
  /** Leaves the profile and opens it again. */
  async function returnTo(view: { unmount: () => void }) {
    view.unmount();
    const server = profileServer();
    const next = showLead();
    await screen.findByRole('heading', { level: 1 });
    return { server, ...next };
  }

  test('survives a change of tab, with its type', async () => {
    await typeMeeting();
    await openTab(/^Notes/);
    await openTab(/Activities/);
    expect(notes()).toHaveValue('Half a thought');
    expect(type()).toHaveValue('meeting');
  });

  test('survives leaving the profile, with a toast', async () => {
    const left = await typeMeeting();
    left.unmount();
    expect(pageToasts.current()?.title).toBe('Draft kept');
    await returnTo(left);
    expect(notes()).toHaveValue('Half a thought');
    expect(type()).toHaveValue('meeting');
  });

  test('makes the browser ask before the page is left', async () => {
    await typeMeeting();
    const leave = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leave);
    expect(leave.defaultPrevented).toBe(true);
  });

  test('is deleted once it is added or emptied', async () => {
    const { server } = await typeMeeting();
    expect(draft()).toMatchObject({ text: 'Half a thought', type: 'meeting' });
    server.responds(addActivity.byId, anActivity({ id: 1 }));
    await press('Add Activity');
    await waitFor(() => expect(notes()).toHaveValue(''));
    expect(draft()).toBeUndefined();
    expect(type()).toHaveValue('meeting');

    await userEvent.type(notes(), 'x');
    expect(draft()).toBeDefined();
    await userEvent.clear(notes());
    expect(draft()).toBeUndefined();
  });

  test('that is added while the profile is left and opened again is cleared', async () => {
    const left = await typeMeeting();
    const held = left.server.holds(addActivity.byId);
    await press('Add Activity');
    await returnTo(left);
    expect(notes()).toHaveValue('Half a thought');
    await act(async () => held.respond(anActivity({ id: 1 })));
    await waitFor(() => expect(notes()).toHaveValue(''));
    expect(draft()).toBeUndefined();
  });

  test('cannot be added again after a change of tab while it is being added', async () => {
    const { server } = await typeMeeting();
    server.holds(addActivity.byId);
    await press('Add Activity');
    await openTab(/^Notes/);
    await openTab(/Activities/);
    expect(screen.getByRole('button', { name: 'Adding...' })).toHaveAttribute('aria-disabled', 'true');
  });

  test('keeps text typed while it is being added', async () => {
    const { server, toasts } = await typeMeeting();
    const held = server.holds(addActivity.byId);
    await press('Add Activity');
    await userEvent.type(notes(), ' and more');
    held.respond(anActivity({ id: 1 }));
    await waitFor(() => expect(toasts).toEqual(['Activity added']));
    expect(notes()).toHaveValue('Half a thought and more');
  });

  test('can be copied when the lead is reassigned', async () => {
    const { server, queries } = await typeMeeting();
    server.refuses(getLead.byId, 'not_your_lead', 'This lead is assigned to another user');
    await act(() => refetchLeads(queries));
    expect(await screen.findByRole('textbox', { name: 'Your unsaved notes' })).toHaveValue('Half a thought');
  });
});

test.each(['', '   '])('notes of %j are refused', async (text) => {
  const { server } = await openProfile();
  if (text) await userEvent.type(notes(), text);
  await press('Add Activity');
  expect(await screen.findByText('Please enter notes for this activity')).toBeVisible();
  expect(server.times(addActivity.byId)).toBe(0);
});

test('an activity is deleted after confirmation', async () => {
  const activities = [anActivity({ id: 2 }), anActivity({ id: 1 })];
  const { server, toasts } = await openProfile({ activities });
  const held = server.holds(deleteActivity);
  const questions = stubConfirm(true);
  await userEvent.click(screen.getAllByRole('button', { name: 'Delete activity' })[0] as HTMLElement);

  expect(questions).toEqual(['Are you sure you want to delete this activity?']);
  await waitFor(() => expect(rows()).toHaveLength(1));
  held.respond(lead);
  await waitFor(() => expect(toasts).toEqual(['Activity deleted']));
  expect(server.last(deleteActivity)?.path).toBe('/api/contact-activity/2');
  expect(document.body).not.toHaveFocus();
});

test('an activity is kept when the confirmation is cancelled', async () => {
  const { server } = await openProfile({ activities: [anActivity({ id: 1 })] });
  stubConfirm(false);
  await press('Delete activity');
  expect(server.times(deleteActivity)).toBe(0);
});

test('an activity that could not be deleted is shown again', async () => {
  const { server, toasts } = await openProfile({ activities: [anActivity({ id: 1 })] });
  server.refuses(deleteActivity, 'internal', 'Something went wrong');
  stubConfirm(true);
  await press('Delete activity');
  await waitFor(() => expect(toasts).toEqual(['Failed to delete activity | 500: Something went wrong']));
  await waitFor(() => expect(rows()).toHaveLength(1));
});

test('a viewer who may not change the lead only reads them', async () => {
  await openProfile({ as: otherUser('manager'), activities: [anActivity({ id: 1, createdBy: priya.id })] });
  expect(rows()[0]).toHaveTextContent('by Priya Shah');
  expect(screen.queryByRole('button', { name: 'Delete activity' })).toBeNull();
  expect(screen.queryByRole('form', { name: 'Add activity' })).toBeNull();
});
