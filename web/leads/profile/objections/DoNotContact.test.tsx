import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ContactMode } from '#contract/contact-rules/contact-rules.ts';
import type { Objection } from '#contract/contact-rules/objection.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { listLeadObjections, recordLeadObjection } from '#contract/leads/objections/lead-objections.calls.ts';
import { DEFAULT_TEAM_SETTINGS } from '#contract/settings/team-settings.ts';
import {
  anActivity,
  clearTab,
  lead,
  openProfile,
  otherUser,
  press,
  priya,
  profileServer,
  showLead,
} from '#web/testing/lead-profile.tsx';

const SINCE = '2026-11-03T09:00:00.000Z';
const FACT = { channel: 'call', on: 'number', since: SINCE } as const;
const OBJECTION: Objection = {
  id: '00000000-0000-4000-8000-000000000001',
  channel: 'call',
  subjects: [{ kind: 'number', value: '020 7946 0018' }],
  since: SINCE,
  words: 'Never again',
  source: 'log',
  recordedAt: SINCE,
  recordedBy: 'Priya Shah',
  lifted: null,
};

async function open(mode: ContactMode, as = priya) {
  clearTab();
  const teamSettings = { ...DEFAULT_TEAM_SETTINGS, contactRules: { mode } };
  const server = profileServer({ business: { objections: [FACT] }, teamSettings });
  server.responds(listLeadObjections.byId, { objections: [OBJECTION] });
  showLead(as);
  await screen.findByText('“Never again”');
}
const phoneLinks = () => screen.queryAllByRole('link').filter((link) => link.getAttribute('href')?.startsWith('tel:'));

test('where rules are enforced, the number can be read and not be called, and says why', async () => {
  await open('enforce');
  await waitFor(() => expect(phoneLinks()).toEqual([]));
  expect(screen.getByText('Do not call')).toBeVisible();
  expect(
    screen.getByText('Asked not to be called on Nov 3, 2026. Only an administrator can lift this.'),
  ).toBeInTheDocument();
  expect(await screen.findByText('“Never again”')).toBeVisible();
});

test('where they warn, a call takes an answer', async () => {
  const confirm = vi.spyOn(window, 'confirm').mockReturnValue(false);
  await open('warn');
  await screen.findByText('Do not call');
  await userEvent.click(screen.getByRole('link', { name: 'Call' }));
  expect(confirm).toHaveBeenCalledWith('Asked not to be called on Nov 3, 2026. Call all the same?');
  expect(screen.queryByRole('dialog', { name: 'Log contact' })).toBeNull();
});

test('off, a number is as if nobody had objected', async () => {
  await open('off');
  await waitFor(() => expect(screen.queryByText('Do not call')).toBeNull());
  expect(phoneLinks().length).toBeGreaterThan(0);
});

test('only administrators lift', async () => {
  await open('warn', otherUser('admin'));
  expect(await screen.findByRole('button', { name: 'Lift…' })).toBeVisible();
});

test('an objection is recorded with its words', async () => {
  const { server, toasts } = await openProfile();
  server.responds(recordLeadObjection.byId, { objections: [OBJECTION] });
  await press('Record an objection');
  const dialog = within(screen.getByRole('dialog', { name: 'Record an objection' }));
  await userEvent.selectOptions(dialog.getByLabelText('They do not want'), 'Visits');
  await userEvent.type(dialog.getByLabelText('Their words (optional)'), 'Go away');
  await userEvent.click(dialog.getByRole('button', { name: 'Record' }));
  await waitFor(() => expect(toasts).toEqual(['Recorded: asked not to be visited']));
  expect(server.last(recordLeadObjection.byId)?.body).toEqual({ channel: 'visit', words: 'Go away' });
});

test('one press beside the outcomes logs it and records it', async () => {
  const { server } = await openProfile();
  server.handles(logContact.byId, () =>
    Response.json(
      { activity: anActivity({ id: 51, outcome: 'not_interested' }), userBusiness: { ...lead, status: 'closed_lost' } },
      { status: 201 },
    ),
  );
  await press('Log');
  const sheet = within(screen.getByRole('dialog', { name: 'Log contact' }));
  await userEvent.type(sheet.getByRole('textbox', { name: 'Note' }), 'Never again');
  await userEvent.click(sheet.getByRole('button', { name: 'Asked not to be called' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.last(logContact.byId)?.body).toEqual({
    outcome: 'not_interested',
    objection: 'call',
    note: 'Never again',
  });
});
