import { randomUUID } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { AuditEvent } from '#contract/audit/audit.ts';
import { Refusal } from '#contract/errors.ts';
import type { Viewer } from '#contract/users/user.ts';
import { toScreen } from '#contract/views/view.ts';
import { MAX_WEBHOOKS, type Webhook } from '#contract/webhooks/webhook.ts';
import * as calls from '#contract/webhooks/webhooks.calls.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import { wakeOwnJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { AddressRefused, createLookup, readHost, requireAllowed } from '#server/kit/outgoing/addresses.ts';
import type { SecretBox } from '#server/second-factor/secret-box.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { listVisibleViews } from '#server/views/views.sql.ts';
import * as deliveries from './deliveries.sql.ts';
import { newKey } from './keys.ts';
import { toHost } from './switched-off.ts';
import { WEBHOOKS } from './webhook-job.ts';
import * as store from './webhooks.sql.ts';

/** Administrators say where the product tells other programs what happens, and see what it has told. */
export function webhookRoutes(app: App, { db, env, guard, jobs, box }: Deps & { box: SecretBox }) {
  serve(app, guard, calls.listWebhooks, () => store.listWebhooks(db));

  serve(app, guard, calls.createWebhook, async ({ viewer, body, ip }) => {
    const { signature, ...settings } = body();
    await requireAddress(settings.url);
    const { secret, publicKey, shown } = newKey(signature);
    const id = randomUUID();
    const webhook = await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      if ((await store.countWebhooks(tx)) >= MAX_WEBHOOKS) throw tooMany();
      await requireView(tx, viewer, settings.viewId);
      await store.insertWebhook(tx, { id, ...settings, signature, publicKey, secret: box.encrypt(secret, id) });
      await record(tx, 'webhook_created', { viewer, ip, url: settings.url });
      await wakeOwnJob(tx, WEBHOOKS);
      return requireListed(tx, id);
    });
    void jobs.run(WEBHOOKS);
    return { key: shown, webhook };
  });

  serve(app, guard, calls.changeWebhook, async ({ viewer, params, body, ip }) => {
    await requireWebhook(db, params.webhookId);
    const { on, ...settings } = body();
    await requireAddress(settings.url);
    const changed = await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const webhook = await wakeAndLock(tx, params.webhookId);
      if (settings.viewId !== webhook.viewId) await requireView(tx, viewer, settings.viewId);
      const wasOn = webhook.state === 'on';
      if (on && !wasOn) await deliveries.retryNow(tx, webhook.id);
      const state = on
        ? ({ state: 'on', offReason: null, ...(!wasOn && { failingSince: null, pausedUntil: null }) } as const)
        : ({ state: 'off', offReason: wasOn ? 'user' : webhook.offReason } as const);
      await store.updateWebhook(tx, webhook.id, { ...settings, ...state });
      await record(tx, 'webhook_changed', { viewer, ip, url: settings.url, kind: on ? 'on' : 'off' });
      return requireListed(tx, webhook.id);
    });
    void jobs.run(WEBHOOKS);
    return changed;
  });

  serve(app, guard, calls.deleteWebhook, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const { id, url } = await lock(tx, params.webhookId);
      body();
      await store.deleteWebhook(tx, id);
      await record(tx, 'webhook_deleted', { viewer, ip, url });
      return store.listWebhooks(tx);
    }),
  );

  serve(app, guard, calls.changeWebhookKey, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const { id, url, signature } = await lock(tx, params.webhookId);
      body();
      const { secret, publicKey, shown } = newKey(signature);
      await store.replaceKey(tx, id, { secret: box.encrypt(secret, id), publicKey });
      await record(tx, 'webhook_key_changed', { viewer, ip, url });
      return { key: shown, webhook: await requireListed(tx, id) };
    }),
  );

  serve(app, guard, calls.testWebhook, async ({ viewer, params, body, ip }) => {
    const tested = await db.transaction(async (tx) => {
      const { id, url } = requireOn(await wakeAndLock(tx, params.webhookId));
      body();
      await deliveries.insertTest(tx, id);
      await record(tx, 'webhook_tested', { viewer, ip, url });
      return requireListed(tx, id);
    });
    void jobs.run(WEBHOOKS);
    return tested;
  });

  serve(app, guard, calls.listDeliveries, async ({ params, query }) =>
    deliveries.listDeliveries(db, (await requireWebhook(db, params.webhookId)).id, query),
  );

  serve(app, guard, calls.getDelivery, async ({ params }) => {
    const webhook = await requireWebhook(db, params.webhookId);
    const delivery = await deliveries.findDelivery(db, webhook, params.deliveryId);
    if (!delivery) throw new Refusal('not_found', 'This delivery is no longer kept');
    return delivery;
  });

  serve(app, guard, calls.sendAgain, async ({ viewer, params, body, ip }) => {
    const again = await db.transaction(async (tx) => {
      const { id, url } = requireOn(await wakeAndLock(tx, params.webhookId));
      const opened = await deliveries.openAgain(tx, id, body());
      await record(tx, 'webhook_sent_again', { viewer, ip, url, count: opened.count });
      return opened;
    });
    void jobs.run(WEBHOOKS);
    return again;
  });

  /** Refuses an address that could not be sent to now. It is looked up again, and checked, for each request. */
  async function requireAddress(address: string) {
    try {
      const url = new URL(address);
      requireAllowed(url, env.webhooks);
      await resolve(createLookup(env.webhooks), readHost(url));
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw new Refusal('invalid_url', error.message, { errors: [{ path: 'url', message: error.message }] });
    }
  }
}

const resolve = (lookup: LookupFunction, host: string) =>
  new Promise<void>((done, fail) => lookup(host, { all: true }, (error) => (error ? fail(error) : done())));

async function requireView(tx: Db, viewer: Viewer, viewId: string | null) {
  if (viewId === null) return;
  const view = (await listVisibleViews(tx, viewer)).find(({ id }) => id === viewId);
  if (view && toScreen(view.settings) === 'leads') return;
  const message = 'Please choose one of your saved views of the list';
  throw new Refusal('validation_failed', message, { errors: [{ path: 'viewId', message }] });
}

async function requireListed(tx: Db, webhookId: string): Promise<Webhook> {
  const webhook = (await store.listWebhooks(tx)).find(({ id }) => id === webhookId);
  if (!webhook) throw noWebhook();
  return webhook;
}

async function requireWebhook(db: Db, webhookId: string) {
  const webhook = await store.findWebhook(db, webhookId);
  if (!webhook) throw noWebhook();
  return webhook;
}

async function lock(tx: Db, webhookId: string) {
  const webhook = await store.lockWebhook(tx, webhookId);
  if (!webhook) throw noWebhook();
  return webhook;
}

/** The job first: its step holds it while it waits for the order of a webhook. */
async function wakeAndLock(tx: Db, webhookId: string) {
  await wakeOwnJob(tx, WEBHOOKS);
  return lock(tx, webhookId);
}

function requireOn(webhook: store.StoredWebhook) {
  if (webhook.state !== 'on') throw new Refusal('webhook_off', 'This webhook is off. Switch it on first.');
  return webhook;
}

const noWebhook = () => new Refusal('not_found', 'This webhook no longer exists');
const tooMany = () =>
  new Refusal('too_many_webhooks', `A team can have ${MAX_WEBHOOKS} webhooks. Delete one to make another.`);

interface Recorded {
  viewer: Viewer;
  ip: string;
  url: string;
  kind?: string;
  count?: number;
}

const record = (tx: Db, event: AuditEvent, { viewer, ip, url, ...details }: Recorded) =>
  audit(tx, { ...byViewer(viewer), event, ip, details: { target: toHost(url), ...details } });
