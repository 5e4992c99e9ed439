import { z } from 'zod';
import { line, moment, text } from '../fields.ts';

/** A way of contacting a business. */
export const contactChannel = z.enum(['call', 'email', 'text', 'post', 'visit']);
export type ContactChannel = z.infer<typeof contactChannel>;

/** What somebody objects to: one way of being contacted, or every way. */
export const objectionChannel = z.enum([...contactChannel.options, 'all']);
export type ObjectionChannel = z.infer<typeof objectionChannel>;

export const OBJECTION_CHANNEL_LABEL: Record<ObjectionChannel, string> = {
  call: 'Calls',
  email: 'E-mails',
  text: 'Text messages',
  post: 'Post',
  visit: 'Visits',
  all: 'Any contact',
};

/** "Asked …" */
export const ASKED_LABEL: Record<ObjectionChannel, string> = {
  call: 'not to be called',
  email: 'not to get e-mails',
  text: 'not to get text messages',
  post: 'not to get post',
  visit: 'not to be visited',
  all: 'not to be contacted at all',
};

/** What an objection is stored for. It counts wherever the number, the address or the business comes up again. */
export const objectionSubject = z.enum(['number', 'email', 'business']);
export type ObjectionSubject = z.infer<typeof objectionSubject>;

export const OBJECTION_SUBJECT_LABEL: Record<ObjectionSubject, string> = {
  number: 'Number',
  email: 'E-mail',
  business: 'Business',
};

/** By what each subject is contacted. */
export const CHANNELS_OF: Record<ObjectionSubject, readonly ContactChannel[]> = {
  number: ['call', 'text'],
  email: ['email'],
  business: contactChannel.options,
};

/** Whether an objection to this channel can be about such a subject. */
export const concerns = (channel: ObjectionChannel, subject: ObjectionSubject) =>
  channel === 'all' || CHANNELS_OF[subject].includes(channel);

/** What pages and programs learn of an objection wherever they learn of a number or an address. */
export const objectionFact = z.strictObject({
  channel: objectionChannel,
  on: objectionSubject,
  since: moment,
});
export type ObjectionFact = z.infer<typeof objectionFact>;

export const objectionSource = z.enum(['log', 'profile', 'list', 'file']);
export type ObjectionSource = z.infer<typeof objectionSource>;

export const OBJECTION_SOURCE_LABEL: Record<ObjectionSource, string> = {
  log: 'Logged contact',
  profile: 'Profile',
  list: 'By hand',
  file: 'File',
};

export const MAX_OBJECTION_WORDS = 500;
export const objectionWords = text(MAX_OBJECTION_WORDS, 'Their words').trim();
export const liftReason = line(500, 'The reason').min(1, 'Please enter a reason');

const person = z.string();

/** An objection with who recorded it. */
export const objection = z.strictObject({
  id: z.uuid(),
  channel: objectionChannel,
  subjects: z.array(
    z.strictObject({
      kind: objectionSubject,
      /** The number, the address, or the name of the business; null where only its hash is kept. */
      value: z.string().nullable(),
    }),
  ),
  since: moment,
  words: z.string(),
  source: objectionSource,
  recordedAt: moment,
  recordedBy: person,
  lifted: z.strictObject({ at: moment, by: person, reason: z.string() }).nullable(),
});
export type Objection = z.infer<typeof objection>;
