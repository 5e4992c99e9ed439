import { z } from 'zod';
import { call } from '../call.ts';
import { pathId } from '../fields.ts';
import { deliveriesToSend, delivery, deliveryDetail, deliveryState } from './delivery.ts';
import { changedWebhook, newWebhook, webhook } from './webhook.ts';

const webhookParams = z.object({ webhookId: z.uuid() });

/** The key with which the receiver verifies: a secret that is not shown again, or the public key. */
const withKey = z.strictObject({ key: z.string(), webhook });

export const listWebhooks = call({
  method: 'GET',
  path: '/api/webhooks',
  access: 'admin',
  summary: 'The webhooks of the team, the oldest first.',
  polled: true,
  response: z.array(webhook),
});

export const createWebhook = call({
  method: 'POST',
  path: '/api/webhooks',
  access: 'admin',
  summary: 'Makes a webhook. The response is the only one that has its secret.',
  body: newWebhook,
  response: withKey,
  success: 201,
  needsProof: true,
});

export const changeWebhook = call({
  method: 'PUT',
  path: '/api/webhooks/:webhookId',
  access: 'admin',
  summary: 'Changes a webhook, or switches it on or off. What waited is sent once it is on again.',
  params: webhookParams,
  body: changedWebhook,
  response: webhook,
  needsProof: true,
});

export const deleteWebhook = call({
  method: 'DELETE',
  path: '/api/webhooks/:webhookId',
  access: 'admin',
  summary: 'Deletes a webhook with its deliveries.',
  params: webhookParams,
  response: z.array(webhook),
});

export const changeWebhookKey = call({
  method: 'POST',
  path: '/api/webhooks/:webhookId/key',
  access: 'admin',
  summary: 'Gives a webhook a new key. For 24 hours requests have signatures of both.',
  params: webhookParams,
  response: withKey,
  needsProof: true,
});

export const testWebhook = call({
  method: 'POST',
  path: '/api/webhooks/:webhookId/test',
  access: 'admin',
  summary: 'Sends a test event to a webhook that is on.',
  params: webhookParams,
  response: webhook,
});

export const listDeliveries = call({
  method: 'GET',
  path: '/api/webhooks/:webhookId/deliveries',
  access: 'admin',
  summary: 'The deliveries of a webhook of the last 30 days, the newest first, 50 at a time.',
  polled: true,
  params: webhookParams,
  query: z.object({ state: deliveryState.optional(), before: pathId.optional() }),
  response: z.strictObject({ items: z.array(delivery), next: z.number().nullable() }),
});

export const getDelivery = call({
  method: 'GET',
  path: '/api/webhooks/:webhookId/deliveries/:deliveryId',
  access: 'admin',
  summary: 'One delivery, with its request and the answers.',
  params: webhookParams.extend({ deliveryId: pathId }),
  response: deliveryDetail,
});

export const sendAgain = call({
  method: 'POST',
  path: '/api/webhooks/:webhookId/send-again',
  access: 'admin',
  summary: 'Sends ended deliveries again, single ones or those of a range of time, with the same ids.',
  params: webhookParams,
  body: deliveriesToSend,
  response: z.strictObject({ count: z.number(), more: z.boolean() }),
});
