import { eq, sql } from 'drizzle-orm';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { createView } from '#contract/views/views.calls.ts';
import { MAX_WEBHOOKS, type NewWebhook, type Webhook } from '#contract/webhooks/webhook.ts';
import { webhookEvent } from '#contract/webhooks/webhook-event.ts';
import * as calls from '#contract/webhooks/webhooks.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { ownFields } from '#server/schema/own-fields.ts';
import { webhookDeliveries, webhookEvents, webhooks } from '#server/schema/webhooks.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { startReceiver, untilSent } from '#server/testing/webhooks/receiver.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';

let t: TestApp;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true, env: { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' } });
});
afterAll(() => t.close());
beforeEach(async () => {
  receiver = await startReceiver();
  admin = await t.user('admin');
});
afterEach(async () => {
  await t.db.delete(webhooks);
  await t.db.delete(webhookEvents);
  receiver.close();
});

const make = (body: Partial<NewWebhook> = {}) =>
  t.request(admin, calls.createWebhook, { body: { url: receiver.url, events: ['lead.changed'], ...body } });
const of = (webhook: Webhook) => ({ webhookId: webhook.id });
const change = (webhook: Webhook, body: object = {}) =>
  t.request(admin, calls.changeWebhook, {
    params: of(webhook),
    body: { url: webhook.url, events: webhook.events, viewId: webhook.view?.id ?? null, on: true, ...body },
  });
const listOf = (webhook: Webhook, query = {}) => t.request(admin, calls.listDeliveries, { params: of(webhook), query });
const findOf = async (webhook: Webhook) =>
  (await t.request(admin, calls.listWebhooks)).body.find(({ id }) => id === webhook.id);
/** A view by a number, and what a lead in it has. */
async function ofTables() {
  const [field] = await t.db
    .insert(ownFields)
    .values({ name: 'Tables', type: 'number', position: 1 })
    .returning({ id: ownFields.id });
  const id = field?.id ?? 0;
  const own = JSON.stringify([
    [id, 'is', [5, 6]],
    [id, 'is_not', 6],
  ]);
  return { settings: { own }, lead: { ownFields: { [id]: 5 } } };
}
const types = () => receiver.received.map(({ json }) => json.type);

describe('making and changing', () => {
  test('a webhook is made with a secret that is shown once, and stored encrypted', async () => {
    const { status, body } = await make({ events: ['user.created', 'lead.changed'] });
    expect(status).toBe(201);
    expect(body.key).toMatch(/^whsec_/);
    expect(body.webhook).toMatchObject({
      ...{
        url: receiver.url,
        events: ['lead.changed', 'user.created'],
        view: null,
        signature: 'hmac',
        publicKey: null,
      },
      ...{ on: true, offReason: null, open: 0, last: null, oldKeyUntil: null },
    });
    expect((await t.request(admin, calls.listWebhooks)).body).toEqual([body.webhook]);
    const [stored] = await t.db.select().from(webhooks);
    expect(JSON.stringify(stored)).not.toContain(body.key.slice(6));
  });

  test.each([
    [{ url: 'example.com' }, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'https://user:password@example.com/' }, 'url'],
    [{ url: 'https://exa mple.com/' }, 'url'],
    [{ url: `https://example.com/${'x'.repeat(2_048)}` }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['lead.exploded'] }, 'events.0'],
    [{ signature: 'md5' }, 'signature'],
    [{ viewId: crypto.randomUUID() }, 'viewId'],
  ])('wrong input is refused at its field (%#)', async (body, path) => {
    const refused = await make(body as never);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect(await t.db.$count(webhooks)).toBe(0);
  });

  test('a team has a limited number', async () => {
    for (let count = 0; count < MAX_WEBHOOKS; count += 1) expect((await make()).status).toBe(201);
    expect(await make()).toMatchObject({ status: 409, body: { code: 'too_many_webhooks' } });
  });

  test('all of it is audited, with the host only', async () => {
    const { body } = await make({ url: `${receiver.url}/secret-path?token=1` });
    await change(body.webhook, { on: false });
    await t.request(admin, calls.changeWebhookKey, { params: of(body.webhook) });
    await change(body.webhook);
    await t.request(admin, calls.testWebhook, { params: of(body.webhook) });
    await t.request(admin, calls.sendAgain, { params: of(body.webhook), body: { ids: [1] } });
    await t.request(admin, calls.deleteWebhook, { params: of(body.webhook) });
    const events = await t.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.actorId, admin.id))
      .orderBy(auditEvents.id);
    expect(events.map(({ event, details }) => [event, details.kind ?? details.count])).toEqual([
      ['webhook_created', undefined],
      ['webhook_changed', 'off'],
      ['webhook_key_changed', undefined],
      ['webhook_changed', 'on'],
      ['webhook_tested', undefined],
      ['webhook_sent_again', 0],
      ['webhook_deleted', undefined],
    ]);
    expect(JSON.stringify(events)).toContain(new URL(receiver.url).host);
    expect(JSON.stringify(events)).not.toMatch(/secret-path|token=/);
    expect(await t.db.$count(webhooks)).toBe(0);
  });
});

test.each([
  ['http://example.com/', 'must begin with https://'],
  ['https://127.0.0.1/', 'private network'],
  ['https://localhost/', 'private network'],
  ['https://[::1]/', 'private network'],
  ['https://nowhere.invalid/', 'was not found'],
])('%s is refused unless the operator allows it', async (url, reason) => {
  const strict = await testApp({ database: t.database });
  const body = { url, events: ['lead.changed'] as const };
  const refused = await strict.request(admin, calls.createWebhook, { body: { ...body, events: [...body.events] } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_url', errors: [{ path: 'url' }] } });
  expect(refused.body.message).toContain(reason);
  await strict.close();
});

describe('sending', () => {
  const changeStatus = async (holder: TestUser, id: number, status: 'recontact' | 'closed_won' | 'in_progress') =>
    expect((await t.request(holder, changeLeadStatus.byId, { params: { id }, body: { status } })).status).toBe(200);

  test('a change is told with a signature that standardwebhooks verifies, with ids and names only', async () => {
    const { body } = await make({ events: ['lead.changed', 'lead.closed'] });
    const lead = await t.lead(admin, { notes: 'Very secret' });
    await changeStatus(admin, lead.id, 'closed_won');
    await untilSent(t, types).toEqual(['lead.changed', 'lead.closed']);
    for (const message of receiver.received) {
      new Verifier(body.key).verify(message.body, message.headers as Record<string, string>);
      expect(message.body).not.toMatch(/Blue Door|Very secret/);
    }
    const [changed, closed] = receiver.received;
    const lead_ = { id: lead.id, uuid: lead.uuid, businessId: lead.businessId, holderId: admin.id };
    expect(changed?.json.data).toEqual({ lead: lead_, by: { userId: admin.id }, fields: ['status', 'credit'] });
    expect(closed?.json.data).toEqual({ lead: lead_, by: { userId: admin.id }, status: 'closed_won' });
    expect(changed?.id).toMatch(/^evt_[0-9a-f-]{36}$/);
    expect(changed?.headers['user-agent']).toMatch(/^Highstreet-Webhooks\//);
    await untilSent(t, async () => (await findOf(body.webhook))?.last?.delivered).toBe(true);
  });

  test('what no webhook is told of is not written, and nothing without a webhook', async () => {
    const lead = await t.lead(admin);
    await changeStatus(admin, lead.id, 'in_progress');
    expect(await t.db.$count(webhookEvents)).toBe(0);
    const { body } = await make({ events: ['lead.closed'] });
    await changeStatus(admin, lead.id, 'recontact');
    expect(await t.db.$count(webhookEvents)).toBe(0);
    await change(body.webhook, { events: ['lead.changed'], on: false });
    await changeStatus(admin, lead.id, 'in_progress');
    expect(await t.db.$count(webhookEvents)).toBe(0);
  });

  test('an event goes with its change: a change that is refused tells nothing', async () => {
    await make();
    const lead = await t.lead(await t.user());
    const refused = { params: { id: lead.id }, body: { status: 'recontact' as const } };
    expect((await t.request(await t.user(), changeLeadStatus.byId, refused)).status).toBe(403);
    expect(await t.db.$count(webhookEvents)).toBe(0);
  });

  test.each([
    ['a tag', async () => ({ settings: { tags: 'hot' }, lead: { tags: ['hot'] } })],
    ["a field of the team's own", ofTables],
  ])('a webhook with a saved view by %s is told of the leads in it', async (_, toView) => {
    const { settings, lead } = await toView();
    const view = await t.request(admin, createView, { body: { name: 'Hot', shared: true, settings } });
    const hot = view.body;
    const { body } = await make({ viewId: hot.id, events: [...webhookEvent.options] });
    expect(body.webhook.view).toEqual({ id: hot.id, name: 'Hot' });
    const [inside, outside] = [await t.lead(admin, lead), await t.lead(admin)];
    await t.db.transaction((tx) => recordEvents(tx, [{ type: 'user.created', data: { user: { id: 7 } } }]));
    await changeStatus(admin, outside.id, 'in_progress');
    await changeStatus(admin, inside.id, 'in_progress');
    const told = () => receiver.received.map(({ json }) => [json.type, json.data.lead?.id]);
    // What is of no lead is told whatever the view is.
    await untilSent(t, told).toEqual([
      ['user.created', undefined],
      ['lead.changed', inside.id],
    ]);
    // Without its view it is told of no lead.
    await t.db.execute(sql`update saved_views set deleted_at = now() where id = ${hot.id}`);
    await changeStatus(admin, inside.id, 'recontact');
    await untilSent(t, () => t.db.$count(webhookEvents, sql`not assigned`)).toBe(0);
    expect(receiver.received).toHaveLength(2);
    expect((await findOf(body.webhook))?.view?.name).toBeNull();
  });

  test('after a failure the same message is sent again, and later ones of the lead wait for it, others do not', async () => {
    const { body } = await make();
    const [first, second] = [await t.lead(admin), await t.lead(admin)];
    receiver.replyWith(({ json }) => ({ status: json.data.lead?.id === first.id ? 500 : 200, body: 'Oh no' }));
    await changeStatus(admin, first.id, 'in_progress');
    await changeStatus(admin, first.id, 'recontact');
    await changeStatus(admin, second.id, 'in_progress');
    await untilSent(t, () => receiver.received.length).toBe(2);
    const states = async () => (await listOf(body.webhook)).body.items.map(({ state, leadId }) => [state, leadId]);
    await untilSent(t, states).toEqual([
      ['delivered', second.id],
      ['waiting', first.id],
      ['due', first.id],
    ]);
    const [, , failed] = (await listOf(body.webhook)).body.items;
    expect(failed).toMatchObject({ attempts: 1, last: { status: 500, error: 'Answered with 500' } });
    const pause = Date.parse(failed?.nextAttemptAt ?? '') - Date.now();
    expect(pause).toBeGreaterThan(0);
    expect(pause).toBeLessThanOrEqual(6_000);

    receiver.replyWith({ status: 200 });
    await t.db.update(webhookDeliveries).set({ nextAttemptAt: sql`now()` });
    await untilSent(t, () => receiver.received.length).toBe(4);
    const ofFirst = receiver.received.filter(({ json }) => json.data.lead?.id === first.id);
    const [tried, again, next] = ofFirst;
    expect([again?.id, again?.body]).toEqual([tried?.id, tried?.body]);
    expect(next?.id).not.toBe(tried?.id);
    await untilSent(t, async () => (await findOf(body.webhook))?.open).toBe(0);
    expect((await findOf(body.webhook))?.failingSince).toBeNull();
    const { body: detail } = await t.request(admin, calls.getDelivery, {
      params: { ...of(body.webhook), deliveryId: failed?.id ?? 0 },
    });
    expect(detail.log).toMatchObject([
      { status: 200, error: null },
      { status: 500, answer: 'Oh no' },
    ]);
    expect(detail.request).toEqual({ url: receiver.url, id: tried?.id, body: tried?.body });
  });

  test('what fails ten times is given up, and the next event of the lead goes on', async () => {
    const { body } = await make();
    const lead = await t.lead(admin);
    receiver.replyWith({ status: 500 });
    await changeStatus(admin, lead.id, 'in_progress');
    await changeStatus(admin, lead.id, 'recontact');
    await untilSent(t, () => receiver.received.length).toBe(1);
    await untilSent(t, async () => (await listOf(body.webhook)).body.items.at(-1)?.last?.status).toBe(500);
    await t.db
      .update(webhookDeliveries)
      .set({ attempts: 9, nextAttemptAt: sql`now()` })
      .where(eq(webhookDeliveries.state, 'due'));
    await untilSent(t, async () => (await listOf(body.webhook)).body.items.map(({ state }) => state)).toEqual([
      'due',
      'failed',
    ]);
    await untilSent(t, () => receiver.received.length).toBe(3);
  });

  test('retry-after pauses the webhook', async () => {
    const { body } = await make();
    receiver.replyWith({ status: 429, headers: { 'retry-after': '3600' } });
    const [lead, other] = [await t.lead(admin), await t.lead(admin)];
    await changeStatus(admin, lead.id, 'in_progress');
    await untilSent(t, async () => (await findOf(body.webhook))?.failingSince).not.toBeNull();
    const [due] = (await listOf(body.webhook)).body.items;
    expect(Date.parse(due?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(3_500_000);
    await changeStatus(admin, other.id, 'in_progress');
    await untilSent(t, async () => (await findOf(body.webhook))?.open).toBe(2);
    expect(receiver.received).toHaveLength(1);
  });

  const mailsOfAdmin = async () =>
    (
      await t.db.execute<{ kind: string; data: object }>(
        sql`select kind, data from mail_outbox where user_id = ${admin.id}`,
      )
    ).rows;

  test('410 switches the webhook off, and administrators are told by e-mail; what waited is sent when it is on again', async () => {
    const { body } = await make();
    receiver.replyWith({ status: 410 });
    const lead = await t.lead(admin);
    await changeStatus(admin, lead.id, 'in_progress');
    await untilSent(t, async () => (await findOf(body.webhook))?.offReason).toBe('gone');
    const { host } = new URL(receiver.url);
    expect(await mailsOfAdmin()).toEqual([{ kind: 'webhook_off', data: { host, reason: 'gone' } }]);
    const off = { webhookId: body.webhook.id };
    expect(await t.request(admin, calls.testWebhook, { params: off })).toMatchObject({
      status: 409,
      body: { code: 'webhook_off' },
    });
    await t.db.update(webhookDeliveries).set({ nextAttemptAt: sql`now()` });
    await untilSent(t, () => receiver.received.length).toBe(1);

    receiver.replyWith({ status: 200 });
    expect((await change(body.webhook)).body).toMatchObject({ on: true, offReason: null, failingSince: null });
    await untilSent(t, () => receiver.received.length).toBe(2);
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
  });

  test('ten days of failure switch it off; a success between them does not', async () => {
    const { body } = await make();
    receiver.replyWith({ status: 500 });
    const lead = await t.lead(admin);
    await changeStatus(admin, lead.id, 'in_progress');
    await untilSent(t, async () => (await findOf(body.webhook))?.failingSince).not.toBeNull();
    const failAgain = async (days: number) => {
      const before = receiver.received.length;
      await t.db.update(webhooks).set({ failingSince: sql`now() - make_interval(days => ${days})` });
      await t.db.update(webhookDeliveries).set({ nextAttemptAt: sql`now()` });
      await untilSent(t, () => receiver.received.length).toBe(before + 1);
      await untilSent(t, async () => (await listOf(body.webhook)).body.items[0]?.attempts).toBe(before + 1);
    };
    await failAgain(9);
    expect((await findOf(body.webhook))?.on).toBe(true);
    await failAgain(10);
    await untilSent(t, async () => (await findOf(body.webhook))?.offReason).toBe('failing');
    expect(await mailsOfAdmin()).toMatchObject([{ data: { reason: 'failing' } }]);
  });

  test('a slow receiver does not delay another one', async () => {
    const slow = await startReceiver();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    slow.replyWith({ status: 200, wait: answered });
    await make({ url: slow.url });
    await make();
    for (let nth = 0; nth < 30; nth += 1) await changeStatus(admin, (await t.lead(admin)).id, 'in_progress');
    await untilSent(t, () => receiver.received.length).toBe(30);
    expect(slow.received).toHaveLength(10);
    answer();
    await untilSent(t, () => slow.received.length).toBe(30);
    slow.close();
  });

  test('with a new key, requests have signatures of both for 24 hours', async () => {
    const { body } = await make();
    const changed = await t.request(admin, calls.changeWebhookKey, { params: of(body.webhook) });
    expect(changed.body.key).not.toBe(body.key);
    const hours = (Date.parse(changed.body.webhook.oldKeyUntil ?? '') - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    const verify = (key: string) => {
      const message = receiver.received.at(-1);
      return () => new Verifier(key).verify(message?.body ?? '', message?.headers as Record<string, string>);
    };
    await t.request(admin, calls.testWebhook, { params: of(body.webhook) });
    await untilSent(t, types).toEqual(['webhook.test']);
    expect(verify(body.key)).not.toThrow();
    expect(verify(changed.body.key)).not.toThrow();
    await t.db.update(webhooks).set({ oldUntil: sql`now()` });
    await t.request(admin, calls.testWebhook, { params: of(body.webhook) });
    await untilSent(t, () => receiver.received.length).toBe(2);
    expect(verify(body.key)).toThrow();
    expect(verify(changed.body.key)).not.toThrow();
  });

  test('a webhook with Ed25519 shows its public key, and signs with the private one', async () => {
    const { body } = await make({ signature: 'ed25519' });
    expect(body.key).toMatch(/^whpk_/);
    expect(body.webhook.publicKey).toBe(body.key);
    await t.request(admin, calls.testWebhook, { params: of(body.webhook) });
    await untilSent(t, types).toEqual(['webhook.test']);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
  });

  test('single deliveries, or those of a range, are sent again with the same ids and in order', async () => {
    const { body } = await make();
    const lead = await t.lead(admin);
    for (const status of ['in_progress', 'recontact', 'closed_won'] as const)
      await changeStatus(admin, lead.id, status);
    await untilSent(t, async () => (await listOf(body.webhook, { state: 'delivered' })).body.items.length).toBe(3);
    const ids = receiver.received.map(({ id }) => id);
    const send = (given: object) =>
      t.request(admin, calls.sendAgain, { params: of(body.webhook), body: given as never });
    const [last] = (await listOf(body.webhook)).body.items;
    expect((await send({ ids: [last?.id] })).body).toEqual({ count: 1, more: false });
    await untilSent(t, () => receiver.received.length).toBe(4);
    expect(receiver.received[3]?.id).toBe(ids[2]);
    await untilSent(t, async () => (await findOf(body.webhook))?.open).toBe(0);

    const [from, to] = [new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 60_000).toISOString()];
    expect((await send({ from, to })).body).toEqual({ count: 0, more: false });
    expect((await send({ from, to, only: 'all' })).body).toEqual({ count: 3, more: false });
    await untilSent(t, () => receiver.received.length).toBe(7);
    expect(receiver.received.slice(4).map(({ id }) => id)).toEqual(ids);
    expect((await send({ from: to, to: from })).status).toBe(400);
    expect((await send({ ids: [] })).status).toBe(400);
  });

  test('deliveries are listed in pages, and those of another webhook are not found', async () => {
    const { body } = await make();
    const [event] = await t.db
      .insert(webhookEvents)
      .values({ type: 'lead.changed', data: {}, assigned: true })
      .returning();
    await t.db.execute(sql`
      with events as (insert into webhook_events (type, data, assigned) select 'lead.changed', '{}', true
        from generate_series(1, 59) returning id)
      insert into webhook_deliveries (webhook_id, event_id, state) select ${body.webhook.id}::uuid, id, 'delivered' from events
      union all select ${body.webhook.id}::uuid, ${event?.id}::bigint, 'failed'`);
    const first = (await listOf(body.webhook)).body;
    expect(first.items).toHaveLength(50);
    const second = (await listOf(body.webhook, { before: first.next })).body;
    expect([second.items.length, second.next]).toEqual([10, null]);
    expect((await listOf(body.webhook, { state: 'failed' })).body.items).toHaveLength(1);
    const other = (await make()).body.webhook;
    const params = { webhookId: other.id, deliveryId: first.items[0]?.id ?? 0 };
    expect((await t.request(admin, calls.getDelivery, { params })).status).toBe(404);
    expect((await listOf({ ...other, id: crypto.randomUUID() })).status).toBe(404);
  });
});
