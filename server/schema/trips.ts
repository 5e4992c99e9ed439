import { doublePrecision, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { StopReason } from '#contract/leads/trip/trip.ts';
import { moment } from '#server/kit/db/columns.ts';

export const trips = pgTable('trips', {
  id: uuid().primaryKey().defaultRandom(),
  userId: integer().notNull(),
  startedAt: moment().notNull(),
  latitude: doublePrecision().notNull(),
  longitude: doublePrecision().notNull(),
  startName: text(),
});

export const tripStops = pgTable(
  'trip_stops',
  {
    tripId: uuid().notNull(),
    leadId: integer().notNull(),
    /** Of the lead, when it became a stop. */
    holderId: integer().notNull(),
    position: integer().notNull(),
    reason: jsonb().$type<StopReason>().notNull(),
    arrivedAt: moment(),
  },
  ({ tripId, leadId }) => [primaryKey({ columns: [tripId, leadId] })],
);
