import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { PlacesProviderId } from '#contract/search/search.ts';
import type { SweepDistrictState, SweepState } from '#contract/sweeps/sweep.ts';
import { moment, now } from '#server/kit/db/columns.ts';

/** A search over many districts, as a job. */
export const sweeps = pgTable('sweeps', {
  id: uuid().primaryKey(),
  userId: integer(),
  businessType: text().notNull(),
  keyword: text(),
  places: text().array().notNull(),
  provider: text().$type<PlacesProviderId>().notNull(),
  state: text().$type<SweepState>().notNull(),
  stopRequested: text().$type<'pause' | 'cancel'>(),
  message: text(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  finishedAt: moment(),
});

export const sweepDistricts = pgTable(
  'sweep_districts',
  {
    sweepId: uuid().notNull(),
    district: text().notNull(),
    position: integer().notNull(),
    state: text().$type<SweepDistrictState>().notNull().default('waiting'),
    calls: integer().notNull().default(0),
    calledAt: moment(),
    found: integer().notNull().default(0),
    added: integer().notNull().default(0),
    more: boolean().notNull().default(false),
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.sweepId, table.district] })],
);

export const sweepResults = pgTable(
  'sweep_results',
  {
    sweepId: uuid().notNull(),
    businessId: integer().notNull(),
    district: text().notNull(),
    leftOut: text().$type<'outside' | 'closed'>(),
    batchId: uuid(),
  },
  (table) => [primaryKey({ columns: [table.sweepId, table.businessId] })],
);

/** The responses to the calls of a district that is not done. */
export const sweepResponses = pgTable(
  'sweep_responses',
  {
    sweepId: uuid().notNull(),
    district: text().notNull(),
    request: text().notNull(),
    response: jsonb().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sweepId, table.district, table.request] })],
);
