import { z } from 'zod';
import { bodyId, moment } from '../fields.ts';

/** For how many days events and their deliveries are kept. */
export const DELIVERY_DAYS = 30;
export const DELIVERIES_PER_PAGE = 50;
/** How many deliveries one request sends again. */
export const MAX_SENT_AGAIN = 10_000;

/** Waiting: an earlier event of the same lead is not done. Due: it is sent at the time of the next attempt. */
export const deliveryState = z.enum(['waiting', 'due', 'delivered', 'failed']);
export type DeliveryState = z.infer<typeof deliveryState>;

export const DELIVERY_STATE_LABEL: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  due: 'Being sent',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** One request and its answer. */
export const deliveryAttempt = z.strictObject({
  at: moment,
  ms: z.number(),
  /** Null without an answer. */
  status: z.number().nullable(),
  /** Why it does not count as delivered. */
  error: z.string().nullable(),
  /** The beginning of the answer's body. */
  answer: z.string(),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;

export const delivery = z.strictObject({
  id: z.number(),
  type: z.string(),
  leadId: z.number().nullable(),
  /** When the event happened. */
  at: moment,
  state: deliveryState,
  attempts: z.number(),
  last: deliveryAttempt.omit({ answer: true }).nullable(),
  /** Of one that is due. */
  nextAttemptAt: moment.nullable(),
});
export type Delivery = z.infer<typeof delivery>;

export const deliveryDetail = z.strictObject({
  ...delivery.shape,
  /** As it is sent; time and signature are new in each attempt. */
  request: z.strictObject({ url: z.string(), id: z.string(), body: z.string() }),
  /** The newest first. */
  log: z.array(deliveryAttempt),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

const FROM_BEFORE_TO = 'The end must be after the beginning';

/** Single deliveries, or those of a range of time. */
export const deliveriesToSend = z.union([
  z.strictObject({ ids: z.array(bodyId()).min(1).max(500) }),
  z
    .strictObject({ from: moment, to: moment, only: z.enum(['failed', 'all']).default('failed') })
    .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { message: FROM_BEFORE_TO, path: ['to'] }),
]);
export type DeliveriesToSend = z.output<typeof deliveriesToSend>;
