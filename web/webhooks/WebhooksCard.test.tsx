import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { listViews } from '#contract/views/views.calls.ts';
import type { Delivery } from '#contract/webhooks/delivery.ts';
import type { Webhook } from '#contract/webhooks/webhook.ts';
import * as calls from '#contract/webhooks/webhooks.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aUser, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { WebhooksCard } from './WebhooksCard.tsx';

const aWebhook = (webhook: Partial<Webhook> = {}): Webhook => ({
  ...{ id: crypto.randomUUID(), url: 'https://hooks.example.test/a', events: ['lead.changed'], view: null },
  ...{ signature: 'hmac', publicKey: null, oldKeyUntil: null, on: true, offReason: null, failingSince: null },
  ...{ open: 0, last: null, createdAt: '2026-11-01T09:00:00.000Z' },
  ...webhook,
});
const attempt = { at: '2026-11-02T09:00:01.000Z', ms: 120, status: 500, error: 'Answered with 500' };
const aDelivery = (delivery: Partial<Delivery> = {}): Delivery => ({
  ...{ id: 7, type: 'lead.changed', leadId: 12, at: '2026-11-02T09:00:00.000Z', state: 'failed', attempts: 10 },
  ...{ last: attempt, nextAttemptAt: null },
  ...delivery,
});
const hot = { id: crypto.randomUUID(), name: 'Hot in Leeds', shared: true, settings: { tags: 'hot' } };

function open(webhooks: Webhook[] = []) {
  const server = fakeServer();
  const viewer = aUser({ username: 'ada', role: 'admin' });
  server.responds(getSettings, SETTINGS);
  server.responds(calls.listWebhooks, webhooks);
  const owner = { id: viewer.id, fullName: viewer.fullName };
  server.responds(listViews, { views: [{ ...hot, owner }], pinned: [], defaultView: null });
  return { server, ...show(<WebhooksCard />, { as: viewer }) };
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string) => {
  await press('More for hooks.example.test');
  await userEvent.click(await screen.findByRole('menuitem', { name }));
};
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('a webhook is made, and its secret is shown once', async () => {
  const { server } = open();
  expect(await screen.findByText('There are no webhooks yet.')).toBeVisible();
  await press('Make a webhook');
  const form = await dialogOf('Make a webhook');
  await userEvent.click(form.getByRole('button', { name: 'Make webhook' }));
  expect(form.getByLabelText('Address')).toHaveAccessibleDescription(/begins with https/);
  await userEvent.type(form.getByLabelText('Address'), 'https://hooks.example.test/a');
  await userEvent.click(form.getByRole('button', { name: 'Make webhook' }));
  expect(form.getByText('Please choose at least one event')).toBeVisible();
  await userEvent.click(form.getByLabelText('Lead closed'));
  await userEvent.click(form.getByLabelText('Lead created'));
  await userEvent.selectOptions(await form.findByLabelText('Leads'), hot.id);
  const refused = 'This address is of a private network';
  server.refuses(calls.createWebhook, 'invalid_url', refused, { errors: [{ path: 'url', message: refused }] });
  await userEvent.click(form.getByRole('button', { name: 'Make webhook' }));
  await waitFor(() => expect(form.getByLabelText('Address')).toHaveAccessibleDescription(/private network/));
  server.responds(calls.createWebhook, { key: 'whsec_c2VjcmV0', webhook: aWebhook() });
  server.responds(calls.listWebhooks, [aWebhook()]);
  await userEvent.click(form.getByRole('button', { name: 'Make webhook' }));

  const made = await dialogOf('The key of the webhook to hooks.example.test');
  const events = ['lead.created', 'lead.closed'];
  const body = { url: 'https://hooks.example.test/a', events, viewId: hot.id, signature: 'hmac' };
  expect(server.last(calls.createWebhook)?.body).toEqual(body);
  expect(made.getByLabelText('Secret')).toHaveValue('whsec_c2VjcmV0');
  await userEvent.click(made.getByRole('button', { name: 'I have stored it' }));
  expect(await screen.findByRole('list', { name: 'Webhooks' })).toHaveTextContent('Nothing sent yet');
  expect(screen.queryByDisplayValue('whsec_c2VjcmV0')).toBeNull();
});

test('a webhook says how it is', async () => {
  const last = { at: '2026-11-02T09:00:00.000Z', delivered: false };
  open([
    aWebhook({ url: 'https://a.test/', failingSince: last.at, last, open: 3 }),
    aWebhook({ url: 'https://b.test/', on: false, offReason: 'gone' }),
    aWebhook({ url: 'https://c.test/', view: { id: hot.id, name: null } }),
    aWebhook({ url: 'https://d.test/', signature: 'ed25519', publicKey: 'whpk_abc' }),
  ]);
  const item = async (name: string) => screen.findByRole('listitem', { name });
  expect(await item('a.test')).toHaveTextContent(/Failing.*Last request.*: failed; 3 deliveries open/);
  expect(await item('b.test')).toHaveTextContent('Off: the receiver answered that the address is gone');
  expect(await item('c.test')).toHaveTextContent('Told of no lead: its view was deleted');
  expect(await item('d.test')).toHaveTextContent('Public key: whpk_abc');
});

test('it is switched off and on, tested, changed, given a new key and deleted', async () => {
  const webhook = aWebhook();
  const { server, toasts } = open([webhook]);
  const settings = { url: webhook.url, events: webhook.events, viewId: null };
  server.responds(calls.changeWebhook, webhook);
  await userEvent.click(await screen.findByRole('switch', { name: 'Webhook to hooks.example.test is on' }));
  await waitFor(() =>
    expect(server.last(calls.changeWebhook)).toMatchObject({
      path: `/api/webhooks/${webhook.id}`,
      body: { ...settings, on: false },
    }),
  );

  server.responds(calls.testWebhook, webhook);
  await choose('Send a test');
  await waitFor(() => expect(toasts).toEqual(['Webhook switched off', 'Test sent']));

  await choose('Change');
  const form = await dialogOf('Change the webhook');
  await userEvent.click(form.getByLabelText('User created'));
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  const events = ['lead.changed', 'user.created'];
  await waitFor(() => expect(server.last(calls.changeWebhook)?.body).toEqual({ ...settings, events, on: true }));

  server.responds(calls.changeWebhookKey, { key: 'whsec_bmV3', webhook });
  await choose('Change the key');
  await press('Change key');
  const made = await dialogOf('The key of the webhook to hooks.example.test');
  expect(made.getByLabelText('Secret')).toHaveValue('whsec_bmV3');
  await userEvent.click(made.getByRole('button', { name: 'I have stored it' }));

  server.responds(calls.deleteWebhook, []);
  await choose('Delete');
  await press('Delete webhook');
  expect(await screen.findByText('There are no webhooks yet.')).toBeVisible();
});

test('deliveries are looked at, and sent again', async () => {
  const webhook = aWebhook();
  const { server } = open([webhook]);
  const delivery = aDelivery();
  server.responds(calls.listDeliveries, { items: [delivery], next: 7 });
  await press(/^Deliveries/);
  const dialog = await dialogOf('Deliveries to hooks.example.test');
  expect(await dialog.findByText('Lead changed, lead 12')).toBeVisible();
  const request = { url: webhook.url, id: 'evt_1', body: '{"type":"lead.changed"}' };
  server.responds(calls.getDelivery, { ...delivery, request, log: [{ ...attempt, answer: 'Oh no' }] });
  await userEvent.click(dialog.getByRole('button', { name: /^Details/ }));
  expect(await dialog.findByText('{"type":"lead.changed"}')).toBeVisible();
  expect(dialog.getByText('Oh no')).toBeVisible();
  expect(dialog.getByText(/Answered with 500, after 0.1 s/)).toBeVisible();

  server.responds(calls.sendAgain, { count: 1, more: false });
  await userEvent.click(dialog.getByRole('button', { name: 'Send again: Lead changed, lead 12' }));
  await waitFor(() => expect(server.last(calls.sendAgain)?.body).toEqual({ ids: [7] }));
  server.responds(calls.sendAgain, { count: 12, more: true });
  await userEvent.selectOptions(dialog.getByLabelText('Of'), 'The last 7 days');
  await userEvent.selectOptions(dialog.getByLabelText('Which'), 'Everything');
  await userEvent.click(dialog.getByRole('button', { name: 'Send again' }));
  expect(await dialog.findByText(/^12 deliveries are sent again. There are more/)).toBeVisible();
  expect(server.last(calls.sendAgain)?.body).toMatchObject({ only: 'all' });

  server.responds(calls.listDeliveries, {
    items: [aDelivery({ id: 3, leadId: null, type: 'webhook.test' })],
    next: null,
  });
  await userEvent.click(dialog.getByRole('button', { name: 'Older' }));
  expect(await dialog.findByText('Test')).toBeVisible();
  expect(server.last(calls.listDeliveries)?.path).toMatch(/\?before=7$/);
  await userEvent.selectOptions(dialog.getByLabelText('State'), 'Delivered');
  await waitFor(() => expect(server.last(calls.listDeliveries)?.path).toMatch(/\?state=delivered$/));
});

test('what could not be loaded says so, and is asked for again', async () => {
  const { server, container } = openFailing();
  expect(await screen.findByText('The webhooks could not be loaded.')).toBeVisible();
  server.responds(calls.listWebhooks, []);
  await press('Try Again');
  expect(await within(container).findByText('There are no webhooks yet.')).toBeVisible();
});

function openFailing() {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.refuses(calls.listWebhooks, 'internal', 'Something went wrong');
  return { server, ...show(<WebhooksCard />, { as: aUser({ username: 'ada', role: 'admin' }) }) };
}
