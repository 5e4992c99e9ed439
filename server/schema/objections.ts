import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ObjectionChannel, ObjectionSource, ObjectionSubject } from '#contract/contact-rules/objection.ts';
import { moment, now } from '#server/kit/db/columns.ts';

export const objections = pgTable('objections', {
  id: uuid().primaryKey().defaultRandom(),
  channel: text().$type<ObjectionChannel>().notNull(),
  since: moment().notNull(),
  words: text().notNull().default(''),
  source: text().$type<ObjectionSource>().notNull(),
  recordedBy: integer(),
  recordedAt: moment().notNull().default(now),
  program: text(),
  liftedAt: moment(),
  liftedBy: integer(),
  liftReason: text(),
});

export const objectionSubjects = pgTable(
  'objection_subjects',
  {
    objectionId: uuid().notNull(),
    kind: text().$type<ObjectionSubject>().notNull(),
    hash: text().notNull(),
    value: text(),
  },
  ({ objectionId, kind, hash }) => [primaryKey({ columns: [objectionId, kind, hash] })],
);
