import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import * as calls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import type { OutboxEntry } from '#contract/outbox/entry.ts';
import type { DeviceStore } from '#web/kit/device/device-store.ts';
import { flushOutbox } from '#web/kit/outbox/flush.ts';
import { closeOutbox, listEntries, openOutbox, useOutboxEntries } from '#web/kit/outbox/outbox.ts';
import { lead, openProfile, press, priya } from '#web/testing/lead-profile.tsx';
import { show } from '#web/testing/show.tsx';
import { OutboxSheet } from './OutboxSheet.tsx';

/** A device that keeps everything, or has no room. */
function aDevice({ full = false } = {}) {
  const stored = new Map<Parameters<DeviceStore['get']>[1], unknown>();
  const device: Pick<DeviceStore, 'get' | 'put' | 'delete' | 'all'> = {
    get: async (_, key) => stored.get(key),
    put: async (_, key, value) => {
      if (full) throw new Error('This device has no room for it');
      stored.set(key, structuredClone(value));
    },
    delete: async (_, ...keys) => {
      for (const key of keys) stored.delete(key);
    },
    all: async () => [...stored].map(([key, value]) => ({ key, value })),
  };
  return { device: device as DeviceStore, stored: () => [...stored.values()] as OutboxEntry[] };
}

async function openWith(options?: Parameters<typeof aDevice>[0]) {
  const { device, stored } = aDevice(options);
  await openOutbox(priya.id, async () => device);
  const opened = await openProfile();
  const flush = () => void flushOutbox({ queries: opened.queries, onSent: () => {} }, { now: true });
  return { ...opened, stored, flush };
}

afterEach(closeOutbox);

const pressed = (name: string) => screen.findByRole('button', { name, pressed: true });

test('a change without a connection is shown at once, kept, and sent with its key, its moment and what was shown', async () => {
  const { server, toasts, stored, flush } = await openWith();
  server.vanishes(calls.changeLeadStatus.byId);
  await press('In Progress');
  await waitFor(() => expect(toasts).toEqual([expect.stringMatching(/^Kept on this device/)]));
  expect(await pressed('In Progress')).toBeVisible();
  const first = server.last(calls.changeLeadStatus.byId);
  const [entry] = stored();
  expect(entry).toMatchObject({
    ...{ kind: 'status', title: 'Status: In Progress', lead: { name: 'Blue Door Bakery' }, state: 'waiting' },
    body: { status: 'in_progress', before: 'new' },
  });

  server.responds(calls.changeLeadStatus.byId, { ...lead, status: 'in_progress' });
  flush();
  await waitFor(() => expect(stored()).toEqual([]));
  const sent = server.last(calls.changeLeadStatus.byId);
  expect(sent?.body).toEqual({ status: 'in_progress', before: 'new' });
  expect(sent?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  expect(sent?.headers.get('x-made-at')).toBe(entry?.madeAt);
});

test('"Undo" takes it out again, and the profile shows what the server has', async () => {
  const { server, stored, lastUndo } = await openWith();
  server.vanishes(calls.changeLeadStatus.byId);
  await press('In Progress');
  await waitFor(() => expect(stored()).toHaveLength(1));
  lastUndo()?.();
  await waitFor(() => expect(stored()).toEqual([]));
  expect(await pressed('New Lead')).toBeVisible();
  expect(server.times(calls.changeLeadStatus.byId)).toBe(1);
});

test('what is done after it with the same lead waits behind it', async () => {
  const { server, stored } = await openWith();
  server.vanishes(calls.changeLeadStatus.byId);
  await press('In Progress');
  await waitFor(() => expect(stored()).toHaveLength(1));
  server.responds(calls.changeLeadStatus.byId, { ...lead, status: 'recontact' });
  await press('Recontact');
  await waitFor(() => expect(stored()).toHaveLength(2));
  expect(stored()[1]).toMatchObject({ body: { status: 'recontact', before: 'in_progress' } });
  expect(server.times(calls.changeLeadStatus.byId)).toBe(1);
});

test('a contact is in the activities with a mark, and cannot be deleted there', async () => {
  const { server, stored } = await openWith();
  server.vanishes(logContact.byId);
  await press('Log');
  await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'Rang twice');
  await press(/^Spoke, not now/);
  await waitFor(() => expect(stored()).toHaveLength(1));
  await userEvent.click(await screen.findByRole('tab', { name: 'Contact Activities (1)' }));
  const row = within(screen.getByRole('list', { name: 'Contact activities' })).getByRole('listitem');
  expect(within(row).getByText('Rang twice')).toBeVisible();
  expect(within(row).getByText('Waiting')).toBeVisible();
  expect(within(row).queryByRole('button')).toBeNull();
});

test('a refusal is no reason to wait', async () => {
  const { server, toasts, stored } = await openWith();
  server.refuses(calls.changeLeadStatus.byId, 'not_your_lead', 'It is of another user');
  await press('In Progress');
  await waitFor(() => expect(toasts).toEqual(['Status update failed | 403: It is of another user']));
  expect(stored()).toEqual([]);
});

test('where the device has no room, the change fails as without an outbox', async () => {
  const { server, toasts } = await openWith({ full: true });
  server.vanishes(calls.changeLeadStatus.byId);
  await press('In Progress');
  await waitFor(() => expect(toasts).toEqual(['Status update failed | This device has no room for it']));
  expect(listEntries()).toEqual([]);
});

test('a session that has ended is reported, and everything stays', async () => {
  const { server, toasts, stored, flush } = await openWith();
  server.vanishes(calls.changeLeadStatus.byId);
  await press('In Progress');
  await waitFor(() => expect(stored()).toHaveLength(1));
  server.refuses(calls.changeLeadStatus.byId, 'not_authenticated', 'Please sign in');
  flush();
  await waitFor(() => expect(toasts).toContain('(signed out)'));
  expect(stored()).toHaveLength(1);
});

test('other changes fail, and can be made later', async () => {
  const { server, toasts, stored } = await openWith();
  server.vanishes(calls.restoreLead.byId);
  server.vanishes(calls.archiveLead.byId);
  await press('Archive Business');
  await userEvent.click(await screen.findByRole('button', { name: /^Archive/ }));
  await waitFor(() => expect(toasts.join()).toMatch(/^Archive failed.*Check your connection/));
  expect(stored()).toEqual([]);
});

const anEntry = (changes: Partial<OutboxEntry>): OutboxEntry => ({
  ...{ id: '1', idempotencyKey: 'a-key-of-mine', kind: 'notes', method: 'PATCH', title: 'Notes' },
  ...{ path: calls.changeLeadNotes.byId.path, params: { id: 5 }, body: { notes: 'Mine', notesVersion: 3 } },
  ...{ madeAt: '2026-07-02T09:05:00.000Z', lead: { uuid: lead.uuid, name: 'Blue Door Bakery' }, state: 'waiting' },
  ...changes,
});

function Shown() {
  const entries = useOutboxEntries();
  return <OutboxSheet entries={entries} onClose={() => {}} />;
}

async function openSheet(...entries: OutboxEntry[]) {
  const { device, stored } = aDevice();
  for (const entry of entries) await device.put('outbox', entry.id, entry);
  await openOutbox(priya.id, async () => device);
  const { server } = await openProfile();
  show(<Shown />, { as: priya });
  return { server, stored };
}

test('a conflict shows both texts, and either, or both, can be kept', async () => {
  const conflict = anEntry({ state: 'conflict', problem: 'No', current: { notes: 'Theirs', notesVersion: 7 } });
  const { stored } = await openSheet(conflict);
  expect(await screen.findByText('Theirs')).toBeVisible();
  expect(screen.getByText('Mine', { selector: 'p' })).toBeVisible();
  await press('Keep both');
  await waitFor(() => expect(stored()).toMatchObject([{ state: 'waiting' }]));
  expect(stored()[0]?.body).toEqual({ notes: 'Theirs\n\nMine', notesVersion: 7 });
});

test('what is saved can be kept', async () => {
  const { stored } = await openSheet(
    anEntry({ kind: 'status', body: { status: 'recontact' }, state: 'conflict', current: { status: 'qualified' } }),
  );
  expect(await screen.findByText('Qualified')).toBeVisible();
  expect(screen.getByText('Recontact', { selector: 'p' })).toBeVisible();
  await press('Keep what is saved');
  await waitFor(() => expect(stored()).toEqual([]));
  expect(await screen.findByText('Nothing waits to be sent.')).toBeVisible();
});

test('what was not accepted says why, and is edited, sent again or discarded', async () => {
  const old = 'The moment when it was made must not be more than 7 days ago';
  const { stored } = await openSheet(
    anEntry({ state: 'refused', problem: old }),
    anEntry({ id: '2', kind: 'log', title: 'Logged: Spoke', body: { outcome: 'spoke', note: 'Rang' } }),
  );
  expect(screen.getByText(old)).toBeVisible();
  const [refused, waiting] = screen.getAllByRole('listitem').map((item) => within(item));
  if (!refused || !waiting) throw new Error('Two entries are shown');
  await userEvent.click(refused.getByRole('button', { name: 'Send again' }));
  await waitFor(() => expect(stored()[0]).toMatchObject({ state: 'waiting' }));
  expect(stored()[0]?.madeAt).not.toBe('2026-07-02T09:05:00.000Z');

  await userEvent.click(waiting.getByRole('button', { name: 'Edit' }));
  await userEvent.clear(waiting.getByRole('textbox', { name: 'Note' }));
  await userEvent.type(waiting.getByRole('textbox', { name: 'Note' }), 'Rang twice');
  await userEvent.click(waiting.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(stored()[1]).toMatchObject({ body: { note: 'Rang twice' }, edited: true }));
  await userEvent.click(waiting.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(stored()).toHaveLength(1));
});
